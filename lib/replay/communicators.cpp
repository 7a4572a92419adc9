// communicators.cpp -- who is behind a rank of a communicator.
#include "replay/communicators.hpp"

#include <algorithm>

#include "defs/comm_uid.hpp"

namespace tarry {

CommunicatorTable::CommunicatorTable(const Definitions& definitions) {
  const auto members_of = [&](GroupId group) {
    return group.value < definitions.groups.size() ? definitions.groups[group.value].members
                                                   : std::vector<std::uint32_t>();
  };
  for (const Communicator& definition : definitions.comms) {
    Comm comm;
    comm.members = members_of(definition.group);
    comm.local_size = comm.members.size();
    comm.is_self = comm.members.empty();
    comm.is_inter = definition.is_inter;
    comm.leads_outside = comm_uid::leads_outside(definition.uid);
    const std::vector<std::uint32_t> remote = members_of(definition.remote_group);
    comm.members.insert(comm.members.end(), remote.begin(), remote.end());
    comms_.push_back(std::move(comm));
  }
}

std::uint32_t CommunicatorTable::world_rank(std::uint32_t comm, std::uint64_t peer, std::uint32_t self) const {
  const Comm& c = comms_[comm];
  if (c.is_self) return peer == 0 ? self : 0xffffffffu;
  std::size_t first = 0;
  std::size_t last = c.local_size;
  if (c.is_inter) {
    const auto local_end = c.members.begin() + static_cast<std::ptrdiff_t>(c.local_size);
    const bool is_local = std::find(c.members.begin(), local_end, self) != local_end;
    first = is_local ? c.local_size : 0;
    last = is_local ? c.members.size() : c.local_size;
  }
  return peer < last - first ? c.members[first + peer] : 0xffffffffu;
}

std::uint32_t CommunicatorTable::rank_of(std::uint32_t comm, std::uint32_t world_rank) const {
  const Comm& c = comms_[comm];
  if (c.is_self) return 0;
  const auto found = std::find(c.members.begin(), c.members.end(), world_rank);
  if (found == c.members.end()) return 0xffffffffu;
  const auto position = static_cast<std::size_t>(found - c.members.begin());
  return static_cast<std::uint32_t>(position < c.local_size ? position : position - c.local_size);
}

}  // namespace tarry
