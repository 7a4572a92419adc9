// trace_files.cpp -- puts a trace that was written down in memory into files: an archive, an OTF2 trace.
#include "trace_files.hpp"

#include <algorithm>

#include "archive/writing/archive_writer.hpp"
#include "tests/unit/trace/otf2_writer.hpp"
#include "trace/record.hpp"

namespace tarry::fuzz {
namespace {

// What Otf2TestTrace defines itself: two regions, two communicators, two groups of members, strings.
constexpr std::uint32_t kFirstRegion = 2, kFirstComm = 2, kFirstGroup = 3, kFirstString = 100;

std::uint32_t reference(std::uint64_t index, std::uint32_t first) { return static_cast<std::uint32_t>(index + first); }

// World stays communicator 0; the others stand behind the two that are there.
std::uint32_t comm_of(CommId comm) { return comm == CommId(0) ? 0 : reference(comm.value - 1, kFirstComm); }

// Writes a record of an event at some time, if it is of a kind that an MPI program has.
struct RecordToOtf2 {
  OTF2_EvtWriter* to;
  OTF2_TimeStamp time;

  void operator()(const record::Enter& enter) const { OTF2_EvtWriter_Enter(to, nullptr, time, region_of(enter)); }
  void operator()(const record::Leave& leave) const { OTF2_EvtWriter_Leave(to, nullptr, time, region_of(leave)); }
  void operator()(const record::MpiSend& send) const {
    OTF2_EvtWriter_MpiSend(to, nullptr, time, send.receiver.value, comm_of(send.comm), tag_of(send), send.bytes);
  }
  void operator()(const record::MpiIsend& send) const {
    OTF2_EvtWriter_MpiIsend(to, nullptr, time, send.receiver.value, comm_of(send.comm), tag_of(send), send.bytes,
                            send.request);
  }
  void operator()(const record::MpiIsendComplete& complete) const {
    OTF2_EvtWriter_MpiIsendComplete(to, nullptr, time, complete.request);
  }
  void operator()(const record::MpiIrecvRequest& post) const {
    OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, post.request);
  }
  void operator()(const record::MpiRecv& receive) const {
    OTF2_EvtWriter_MpiRecv(to, nullptr, time, receive.sender.value, comm_of(receive.comm), tag_of(receive),
                           receive.bytes);
  }
  void operator()(const record::MpiIrecv& receive) const {
    OTF2_EvtWriter_MpiIrecv(to, nullptr, time, receive.sender.value, comm_of(receive.comm), tag_of(receive),
                            receive.bytes, receive.request);
  }
  void operator()(const record::MpiRequestTest& test) const {
    OTF2_EvtWriter_MpiRequestTest(to, nullptr, time, test.request);
  }
  void operator()(const record::MpiRequestCancelled& cancelled) const {
    OTF2_EvtWriter_MpiRequestCancelled(to, nullptr, time, cancelled.request);
  }
  void operator()(const record::MpiCollectiveBegin&) const { OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, time); }
  void operator()(const record::MpiCollectiveEnd& end) const {
    OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, time, static_cast<OTF2_CollectiveOp>(end.operation), comm_of(end.comm),
                                    end.root.value, end.sent, end.received);
  }
  void operator()(const record::CommCreate& create) const {
    OTF2_EvtWriter_CommCreate(to, nullptr, time, comm_of(create.comm));
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  template <class Visit>
  static std::uint32_t region_of(const Visit& visit) {
    return reference(visit.region.value, kFirstRegion);
  }
  template <class Message>
  static std::uint32_t tag_of(const Message& message) {
    return static_cast<std::uint32_t>(message.tag);
  }
};

void write_event(OTF2_EvtWriter* to, const Event& event) {
  visit_record(event, RecordToOtf2{to, static_cast<OTF2_TimeStamp>(event.time)});
}

void define_regions(OTF2_GlobalDefWriter* to, const Definitions& all) {
  for (std::uint32_t i = 0; i < all.regions.size(); ++i) {
    const std::string name(all.region_name(RegionId(i)));
    const bool is_mpi = all.regions[i].paradigm == Paradigm::kMpi;
    OTF2_GlobalDefWriter_WriteString(to, kFirstString + i, name.c_str());
    OTF2_GlobalDefWriter_WriteRegion(to, kFirstRegion + i, kFirstString + i, kFirstString + i, 0,
                                     OTF2_REGION_ROLE_FUNCTION, is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                     OTF2_REGION_FLAG_NONE, 0, 0, 0);
  }
}

void define_comms(OTF2_GlobalDefWriter* to, const Definitions& all) {
  for (std::uint32_t i = 0; i < all.groups.size(); ++i) {
    const std::vector<std::uint64_t> members(all.groups[i].members.begin(), all.groups[i].members.end());
    OTF2_GlobalDefWriter_WriteGroup(to, kFirstGroup + i, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()), members.data());
  }
  for (std::uint32_t i = 1; i < all.comms.size(); ++i) {
    const Communicator& comm = all.comms[i];
    const std::uint32_t group = reference(comm.group.value, kFirstGroup);
    if (comm.is_inter)
      OTF2_GlobalDefWriter_WriteInterComm(to, comm_of(CommId(i)), 0, group,
                                          reference(comm.remote_group.value, kFirstGroup), 0, OTF2_COMM_FLAG_NONE);
    else OTF2_GlobalDefWriter_WriteComm(to, comm_of(CommId(i)), 0, group, 0, OTF2_COMM_FLAG_NONE);
  }
}

}  // namespace

Status write_archive(SyntheticTrace& trace, const std::string& folder) {
  TARRY_TRY_ASSIGN(writer, ArchiveWriter::create(folder, trace.definitions(), {.stage = "fuzz"}));
  for (std::size_t i = 0; i < trace.streams().size(); ++i) {
    Ticks time = 0;
    for (Event event : trace.streams()[i].events()) {
      if (info_of(event.kind).name.empty()) continue;
      time = event.time = std::max(time, event.time);
      TARRY_TRY(writer.append(LocationId(i), {&event, 1}));
    }
  }
  return writer.close();
}

std::string write_otf2(SyntheticTrace& trace, const std::string& folder) {
  Otf2TestTrace file;
  file.locations = trace.streams().size();
  file.events = [&](OTF2_EvtWriter* to, std::uint64_t location) {
    for (const Event& event : trace.streams()[location].events()) write_event(to, event);
  };
  file.definitions = [&](OTF2_GlobalDefWriter* to) {
    define_regions(to, trace.definitions());
    define_comms(to, trace.definitions());
  };
  return file.write(folder);
}

}  // namespace tarry::fuzz
