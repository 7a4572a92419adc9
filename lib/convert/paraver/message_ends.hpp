// message_ends.hpp -- who a message goes to or comes from, in ranks of the run.
#pragma once

#include <cstdint>
#include <optional>

#include "defs/definitions.hpp"
#include "trace/record.hpp"

namespace tarry {

inline constexpr std::uint32_t kNoRank = 0xffffffffu;

/// The world rank of the other end of a message: `rank` in `comm` as `self` (a world rank) sees it. kNoRank if that is
/// not known.
inline std::uint32_t partner_of(const Definitions& all, CommId comm_id, CommRank rank, std::uint32_t self) {
  if (comm_id.value >= all.comms.size() || !all.comms[comm_id.value].group.is_valid()) return kNoRank;
  const Communicator& comm = all.comms[comm_id.value];
  GroupId group = comm.group;
  if (comm.is_inter && comm.remote_group.is_valid()) {
    // Messages go to the group that one is not in.
    for (const std::uint32_t member : all.groups[group.value].members)
      if (member == self) {
        group = comm.remote_group;
        break;
      }
  }
  const auto& members = all.groups[group.value].members;
  if (members.empty()) return rank.value == 0 ? self : kNoRank;  // MPI_COMM_SELF in traces of others
  return rank.value < members.size() ? members[rank.value] : kNoRank;
}

/// One end of a message, whatever record tells of it.
struct MessageRecord {
  bool is_send;
  CommRank partner;
  CommId comm;
  MessageTag tag;
  Bytes bytes;
  std::optional<RequestId> request = {};
};

inline MessageRecord message_of(const record::MpiSend& send) {
  return {true, send.receiver, send.comm, send.tag, send.bytes};
}
inline MessageRecord message_of(const record::MpiIsend& send) {
  return {true, send.receiver, send.comm, send.tag, send.bytes, send.request};
}
inline MessageRecord message_of(const record::MpiRecv& receive) {
  return {false, receive.sender, receive.comm, receive.tag, receive.bytes};
}
inline MessageRecord message_of(const record::MpiIrecv& receive) {
  return {false, receive.sender, receive.comm, receive.tag, receive.bytes, receive.request};
}

}  // namespace tarry
