// write_otf2.hpp -- the events of make_trace by plain calls of OTF2's writer.
#pragma once

#include <otf2/otf2.h>

#include "require.hpp"
#include "trace/record.hpp"

namespace tarry {

inline void write_otf2(OTF2_EvtWriter* writer, const Event& event) {
  const auto time = static_cast<OTF2_TimeStamp>(event.time);
  const auto tag_of = [](const auto& message) { return static_cast<std::uint32_t>(message.tag); };
  switch (event.kind) {
    case EventKind::kEnter:
      OTF2_EvtWriter_Enter(writer, nullptr, time, record_of<record::Enter>(event).region.value);
      break;
    case EventKind::kLeave:
      OTF2_EvtWriter_Leave(writer, nullptr, time, record_of<record::Leave>(event).region.value);
      break;
    case EventKind::kMpiSend: {
      const auto send = record_of<record::MpiSend>(event);
      OTF2_EvtWriter_MpiSend(writer, nullptr, time, send.receiver.value, send.comm.value, tag_of(send), send.bytes);
      break;
    }
    case EventKind::kMpiRecv: {
      const auto receive = record_of<record::MpiRecv>(event);
      OTF2_EvtWriter_MpiRecv(writer, nullptr, time, receive.sender.value, receive.comm.value, tag_of(receive),
                             receive.bytes);
      break;
    }
    case EventKind::kMpiIsend: {
      const auto send = record_of<record::MpiIsend>(event);
      OTF2_EvtWriter_MpiIsend(writer, nullptr, time, send.receiver.value, send.comm.value, tag_of(send), send.bytes,
                              send.request);
      break;
    }
    case EventKind::kMpiIrecv: {
      const auto receive = record_of<record::MpiIrecv>(event);
      OTF2_EvtWriter_MpiIrecv(writer, nullptr, time, receive.sender.value, receive.comm.value, tag_of(receive),
                              receive.bytes, receive.request);
      break;
    }
    case EventKind::kMpiIsendComplete:
      OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, time, record_of<record::MpiIsendComplete>(event).request);
      break;
    case EventKind::kMpiIrecvRequest:
      OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, time, record_of<record::MpiIrecvRequest>(event).request);
      break;
    case EventKind::kMpiCollectiveBegin: OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time); break;
    case EventKind::kMpiCollectiveEnd: {
      const auto end = record_of<record::MpiCollectiveEnd>(event);
      OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time, OTF2_COLLECTIVE_OP_ALLREDUCE, end.comm.value,
                                      OTF2_UNDEFINED_UINT32, end.sent, end.received);
      break;
    }
    default: require(false, "an event of a kind that make_trace does not write");
  }
}

}  // namespace tarry
