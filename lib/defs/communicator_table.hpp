// communicator_table.hpp -- who is behind a rank of a communicator.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/arrays/indexed.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Answers questions about the communicators of a run, for whoever reads events or profiles. Members are those of the
/// groups in `definitions`, which must live as long: many communicators may have the same group.
class CommunicatorTable {
 public:
  explicit CommunicatorTable(const Definitions& definitions);

  /// Whether a communicator is defined, as events name it.
  bool is_valid(CommId comm) const { return comm.value < comms_.size(); }

  /// Who `peer` is, a rank in `comm` as events of the process `self` name it; none if there is no such member.
  WorldRank world_rank(CommId comm, CommRank peer, WorldRank self) const;

  /// Rank in `comm` of a process, among the members messages can go to; none if it is no member.
  CommRank rank_of(CommId comm, WorldRank world_rank) const;

  /// All members in order. Empty for communicators of one process each (MPI_COMM_SELF). The local group
  /// first, then the remote one for inter-communicators.
  IdView<WorldRank> members(CommId comm) const { return IdView<WorldRank>(*comms_[comm].members); }

  /// Members 0 .. local_size - 1 are the local group; equal to the number of members without a remote group.
  std::size_t local_size(CommId comm) const { return comms_[comm].local_size; }

  /// It has members that are not recorded, or are queues of accelerators: what is done with them is not looked at.
  bool leads_outside(CommId comm) const { return comms_[comm].leads_outside; }

  std::size_t size() const { return comms_.size(); }
  IdRange<CommId> ids() const { return comms_.ids(); }

  /// The first communicator with the same groups as `comm`, which may be itself.
  CommId first_alike(CommId comm) const { return comms_[comm].first_alike; }

 private:
  struct Comm {
    const std::vector<std::uint32_t>* members = nullptr;
    std::size_t local_size = 0;
    bool is_self = false;
    bool is_inter = false;
    bool leads_outside = false;
    CommId first_alike{};
  };

  void add_remote_group(Comm& comm, const std::vector<std::uint32_t>& remote, bool is_first);
  bool is_local(const Comm& comm, WorldRank world_rank) const;

  Indexed<CommId, std::vector<Comm>> comms_;
  std::deque<std::vector<std::uint32_t>> both_groups_;  // members of inter-communicators
  FlatMap<std::uint64_t, bool> locals_;  // of inter-communicators: the first alike and a world rank of its local group
};

}  // namespace tarry
