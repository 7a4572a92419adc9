// message_ends.hpp -- who a message goes to or comes from, in ranks of the run.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"
#include "trace/event.hpp"

namespace tarry {

inline constexpr std::uint32_t kNoRank = 0xffffffffu;

/// The world rank of the other end of a message: `rank` in `comm` as `self` (a world rank) sees it. kNoRank if that is
/// not known.
inline std::uint32_t partner_of(const Definitions& all, std::uint64_t comm, std::uint64_t rank, std::uint32_t self) {
  if (comm >= all.comms.size() || !all.comms[comm].group.is_valid()) return kNoRank;
  GroupId group = all.comms[comm].group;
  if (all.comms[comm].is_inter && all.comms[comm].remote_group.is_valid()) {
    // Messages go to the group that one is not in.
    for (const std::uint32_t member : all.groups[group.value].members)
      if (member == self) {
        group = all.comms[comm].remote_group;
        break;
      }
  }
  const auto& members = all.groups[group.value].members;
  if (members.empty()) return rank == 0 ? self : kNoRank;  // MPI_COMM_SELF in traces of others
  return rank < members.size() ? members[rank] : kNoRank;
}

inline bool is_send(EventKind kind) { return kind == EventKind::kMpiSend || kind == EventKind::kMpiIsend; }
inline bool is_receive(EventKind kind) { return kind == EventKind::kMpiRecv || kind == EventKind::kMpiIrecv; }

}  // namespace tarry
