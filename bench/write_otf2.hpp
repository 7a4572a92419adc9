// write_otf2.hpp -- the events of make_trace by plain calls of OTF2's writer.
#pragma once

#include <otf2/otf2.h>

#include "require.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Writes a record of an event at some time.
struct RecordToOtf2 {
  OTF2_EvtWriter* writer;
  OTF2_TimeStamp time;

  void operator()(const record::Enter& enter) const { OTF2_EvtWriter_Enter(writer, nullptr, time, enter.region.value); }
  void operator()(const record::Leave& leave) const { OTF2_EvtWriter_Leave(writer, nullptr, time, leave.region.value); }
  void operator()(const record::MpiSend& send) const {
    OTF2_EvtWriter_MpiSend(writer, nullptr, time, send.receiver.value, send.comm.value, tag_of(send), send.bytes);
  }
  void operator()(const record::MpiRecv& receive) const {
    OTF2_EvtWriter_MpiRecv(writer, nullptr, time, receive.sender.value, receive.comm.value, tag_of(receive),
                           receive.bytes);
  }
  void operator()(const record::MpiIsend& send) const {
    OTF2_EvtWriter_MpiIsend(writer, nullptr, time, send.receiver.value, send.comm.value, tag_of(send), send.bytes,
                            send.request);
  }
  void operator()(const record::MpiIrecv& receive) const {
    OTF2_EvtWriter_MpiIrecv(writer, nullptr, time, receive.sender.value, receive.comm.value, tag_of(receive),
                            receive.bytes, receive.request);
  }
  void operator()(const record::MpiIsendComplete& complete) const {
    OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, time, complete.request);
  }
  void operator()(const record::MpiIrecvRequest& post) const {
    OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, time, post.request);
  }
  void operator()(const record::MpiCollectiveBegin&) const { OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time); }
  void operator()(const record::MpiCollectiveEnd& end) const {
    OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time, OTF2_COLLECTIVE_OP_ALLREDUCE, end.comm.value,
                                    OTF2_UNDEFINED_UINT32, end.sent, end.received);
  }
  template <class Other>
  void operator()(const Other&) const {
    require(false, "an event of a kind that make_trace does not write");
  }

 private:
  template <class Message>
  static std::uint32_t tag_of(const Message& message) {
    return static_cast<std::uint32_t>(message.tag);
  }
};

inline void write_otf2(OTF2_EvtWriter* writer, const Event& event) {
  visit_record(event, RecordToOtf2{writer, static_cast<OTF2_TimeStamp>(event.time)});
}

}  // namespace tarry
