// write_otf2.hpp -- the events of make_trace by plain calls of OTF2's writer.
#pragma once

#include <otf2/otf2.h>

#include "require.hpp"
#include "trace/event.hpp"

namespace tarry {

inline void write_otf2(OTF2_EvtWriter* writer, const Event& event) {
  const auto time = static_cast<OTF2_TimeStamp>(event.time);
  const auto at = [&](std::size_t field) { return static_cast<std::uint32_t>(event.fields[field]); };
  switch (event.kind) {
    case EventKind::kEnter: OTF2_EvtWriter_Enter(writer, nullptr, time, at(0)); break;
    case EventKind::kLeave: OTF2_EvtWriter_Leave(writer, nullptr, time, at(0)); break;
    case EventKind::kMpiSend: OTF2_EvtWriter_MpiSend(writer, nullptr, time, at(0), at(1), at(2), at(3)); break;
    case EventKind::kMpiRecv: OTF2_EvtWriter_MpiRecv(writer, nullptr, time, at(0), at(1), at(2), at(3)); break;
    case EventKind::kMpiIsend:
      OTF2_EvtWriter_MpiIsend(writer, nullptr, time, at(0), at(1), at(2), at(3), event.fields[4]);
      break;
    case EventKind::kMpiIrecv:
      OTF2_EvtWriter_MpiIrecv(writer, nullptr, time, at(0), at(1), at(2), at(3), event.fields[4]);
      break;
    case EventKind::kMpiIsendComplete: OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, time, event.fields[0]); break;
    case EventKind::kMpiIrecvRequest: OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, time, event.fields[0]); break;
    case EventKind::kMpiCollectiveBegin: OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time); break;
    case EventKind::kMpiCollectiveEnd:
      OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time, OTF2_COLLECTIVE_OP_ALLREDUCE, at(1), OTF2_UNDEFINED_UINT32,
                                      event.fields[3], event.fields[4]);
      break;
    default: require(false, "an event of a kind that make_trace does not write");
  }
}

}  // namespace tarry
