// trace_files.cpp -- puts a trace that was written down in memory into files: an archive, an OTF2 trace.
#include "trace_files.hpp"

#include <algorithm>

#include "archive/archive_writer.hpp"
#include "tests/unit/trace/otf2_writer.hpp"

namespace tarry::fuzz {
namespace {

// What Otf2TestTrace defines itself: two regions, two communicators, two groups of members, strings.
constexpr std::uint32_t kFirstRegion = 2, kFirstComm = 2, kFirstGroup = 3, kFirstString = 100;

std::uint32_t reference(std::uint64_t index, std::uint32_t first) { return static_cast<std::uint32_t>(index + first); }

// World stays communicator 0; the others stand behind the two that are there.
std::uint32_t comm_of(std::uint64_t comm) { return comm == 0 ? 0 : reference(comm - 1, kFirstComm); }

void write_event(OTF2_EvtWriter* to, const Event& event) {
  const auto& f = event.fields;
  const auto time = static_cast<OTF2_TimeStamp>(event.time);
  const auto small = [&](int i) { return static_cast<std::uint32_t>(f[i]); };
  switch (event.kind) {
    case EventKind::kEnter: OTF2_EvtWriter_Enter(to, nullptr, time, reference(f[0], kFirstRegion)); break;
    case EventKind::kLeave: OTF2_EvtWriter_Leave(to, nullptr, time, reference(f[0], kFirstRegion)); break;
    case EventKind::kMpiSend: OTF2_EvtWriter_MpiSend(to, nullptr, time, small(0), comm_of(f[1]), small(2), f[3]); break;
    case EventKind::kMpiIsend:
      OTF2_EvtWriter_MpiIsend(to, nullptr, time, small(0), comm_of(f[1]), small(2), f[3], f[4]);
      break;
    case EventKind::kMpiIsendComplete: OTF2_EvtWriter_MpiIsendComplete(to, nullptr, time, f[0]); break;
    case EventKind::kMpiIrecvRequest: OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, f[0]); break;
    case EventKind::kMpiRecv: OTF2_EvtWriter_MpiRecv(to, nullptr, time, small(0), comm_of(f[1]), small(2), f[3]); break;
    case EventKind::kMpiIrecv:
      OTF2_EvtWriter_MpiIrecv(to, nullptr, time, small(0), comm_of(f[1]), small(2), f[3], f[4]);
      break;
    case EventKind::kMpiRequestTest: OTF2_EvtWriter_MpiRequestTest(to, nullptr, time, f[0]); break;
    case EventKind::kMpiRequestCancelled: OTF2_EvtWriter_MpiRequestCancelled(to, nullptr, time, f[0]); break;
    case EventKind::kMpiCollectiveBegin: OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, time); break;
    case EventKind::kMpiCollectiveEnd:
      OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, time, static_cast<OTF2_CollectiveOp>(f[0]), comm_of(f[1]), small(2),
                                      f[3], f[4]);
      break;
    case EventKind::kCommCreate: OTF2_EvtWriter_CommCreate(to, nullptr, time, comm_of(f[0])); break;
    default: break;
  }
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
      OTF2_GlobalDefWriter_WriteInterComm(to, comm_of(i), 0, group, reference(comm.remote_group.value, kFirstGroup), 0,
                                          OTF2_COMM_FLAG_NONE);
    else OTF2_GlobalDefWriter_WriteComm(to, comm_of(i), 0, group, 0, OTF2_COMM_FLAG_NONE);
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
