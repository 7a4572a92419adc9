// communicator_table.cpp -- who is behind a rank of a communicator.
#include "defs/communicator_table.hpp"

#include <algorithm>

#include "defs/comm_uid.hpp"

namespace tarry {

namespace {

bool has_locations(const Definitions& definitions, GroupId group) {
  return group.value < definitions.groups.size() && definitions.groups[group.value].has_locations();
}

const std::vector<std::uint32_t>& members_of(const Definitions& definitions, GroupId group) {
  static const std::vector<std::uint32_t> kNobody;
  if (group.value >= definitions.groups.size() || has_locations(definitions, group)) return kNobody;
  return definitions.groups[group.value].members;
}

template <class High, class Low>
std::uint64_t key_of(High high, Low low) {
  return std::uint64_t{high.value} << 32 | low.value;
}

}  // namespace

CommunicatorTable::CommunicatorTable(const Definitions& definitions) {
  FlatMap<std::uint64_t, CommId> known;  // by groups
  comms_.reserve(definitions.comms.size());
  for (const CommId id : IdRange<CommId>(definitions.comms.size())) {
    const Communicator& definition = definitions.comms[id.value];
    Comm comm;
    comm.first_alike = known.insert(key_of(definition.group, definition.remote_group), id);
    comm.members = &members_of(definitions, definition.group);
    comm.local_size = comm.members->size();
    comm.is_self = comm.members->empty();
    comm.is_inter = definition.is_inter;
    comm.leads_outside = comm_uid::leads_outside(definition.uid) || has_locations(definitions, definition.group);
    const std::vector<std::uint32_t>& remote = members_of(definitions, definition.remote_group);
    const bool is_first = comm.first_alike == id;
    if (comm.is_inter && (is_first || !comms_[comm.first_alike].is_inter))
      for (const std::uint32_t member : *comm.members)
        locals_.insert(key_of(comm.first_alike, WorldRank(member)), true);
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

bool CommunicatorTable::is_local(const Comm& comm, WorldRank world_rank) const {
  return locals_.find(key_of(comm.first_alike, world_rank)) != nullptr;
}

WorldRank CommunicatorTable::world_rank(CommId comm, CommRank peer, WorldRank self) const {
  const Comm& c = comms_[comm];
  if (c.is_self) return peer.value == 0 ? self : WorldRank();
  std::size_t first = 0;
  std::size_t last = c.local_size;
  if (c.is_inter) {
    const bool is_mine = is_local(c, self);
    first = is_mine ? c.local_size : 0;
    last = is_mine ? c.members->size() : c.local_size;
  }
  return peer.value < last - first ? WorldRank((*c.members)[first + peer.value]) : WorldRank();
}

CommRank CommunicatorTable::rank_of(CommId comm, WorldRank world_rank) const {
  const Comm& c = comms_[comm];
  if (c.is_self) return CommRank(0);
  const auto found = std::find(c.members->begin(), c.members->end(), world_rank.value);
  if (found == c.members->end()) return {};
  const auto position = static_cast<std::size_t>(found - c.members->begin());
  return CommRank(position < c.local_size ? position : position - c.local_size);
}

}  // namespace tarry
