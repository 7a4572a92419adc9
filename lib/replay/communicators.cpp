// communicators.cpp -- who is behind a rank of a communicator.
#include "replay/communicators.hpp"

#include <algorithm>

#include "defs/comm_uid.hpp"

namespace tarry {

namespace {

const std::vector<std::uint32_t>& members_of(const Definitions& definitions, GroupId group) {
  static const std::vector<std::uint32_t> kNobody;
  return group.value < definitions.groups.size() ? definitions.groups[group.value].members : kNobody;
}

std::uint64_t key_of(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

}  // namespace

CommunicatorTable::CommunicatorTable(const Definitions& definitions) {
  FlatMap<std::uint64_t, std::uint32_t> known;  // by groups
  comms_.reserve(definitions.comms.size());
  for (std::uint32_t id = 0; id < definitions.comms.size(); ++id) {
    const Communicator& definition = definitions.comms[id];
    Comm comm;
    comm.first_alike = known.insert(key_of(definition.group.value, definition.remote_group.value), id);
    comm.members = &members_of(definitions, definition.group);
    comm.local_size = comm.members->size();
    comm.is_self = comm.members->empty();
    comm.is_inter = definition.is_inter;
    comm.leads_outside = comm_uid::leads_outside(definition.uid);
    const std::vector<std::uint32_t>& remote = members_of(definitions, definition.remote_group);
    const bool is_first = comm.first_alike == id;
    if (comm.is_inter && (is_first || !comms_[comm.first_alike].is_inter))
      for (const std::uint32_t member : *comm.members) locals_.insert(key_of(comm.first_alike, member), true);
    if (!remote.empty()) add_remote_group(comm, remote, is_first);
    comms_.push_back(comm);
  }
}

void CommunicatorTable::add_remote_group(Comm& comm, const std::vector<std::uint32_t>& remote, bool is_first) {
  if (is_first) {
    std::vector<std::uint32_t>& both = both_groups_.emplace_back(*comm.members);
    both.insert(both.end(), remote.begin(), remote.end());
  }
  comm.members = is_first ? &both_groups_.back() : comms_[comm.first_alike].members;
}

bool CommunicatorTable::is_local(const Comm& comm, std::uint32_t world_rank) const {
  return locals_.find(key_of(comm.first_alike, world_rank)) != nullptr;
}

std::uint32_t CommunicatorTable::world_rank(std::uint32_t comm, std::uint64_t peer, std::uint32_t self) const {
  const Comm& c = comms_[comm];
  if (c.is_self) return peer == 0 ? self : 0xffffffffu;
  std::size_t first = 0;
  std::size_t last = c.local_size;
  if (c.is_inter) {
    const bool is_mine = is_local(c, self);
    first = is_mine ? c.local_size : 0;
    last = is_mine ? c.members->size() : c.local_size;
  }
  return peer < last - first ? (*c.members)[first + peer] : 0xffffffffu;
}

std::uint32_t CommunicatorTable::rank_of(std::uint32_t comm, std::uint32_t world_rank) const {
  const Comm& c = comms_[comm];
  if (c.is_self) return 0;
  const auto found = std::find(c.members->begin(), c.members->end(), world_rank);
  if (found == c.members->end()) return 0xffffffffu;
  const auto position = static_cast<std::size_t>(found - c.members->begin());
  return static_cast<std::uint32_t>(position < c.local_size ? position : position - c.local_size);
}

}  // namespace tarry
