// communicators.hpp -- who is behind a rank of a communicator.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/flat_map.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Answers questions about the communicators of a run, for the whole analysis. Members are those of the groups in
/// `definitions`, which must live as long: many communicators may have the same group.
class CommunicatorTable {
 public:
  explicit CommunicatorTable(const Definitions& definitions);

  bool is_valid(std::uint64_t comm) const { return comm < comms_.size(); }

  /// World rank of `peer`, a rank in `comm` as process `self` (world rank) addresses it; 0xffffffff if there is none.
  std::uint32_t world_rank(std::uint32_t comm, std::uint64_t peer, std::uint32_t self) const;

  /// Rank in `comm` of a world rank, among the members messages can go to; 0xffffffff if it is none.
  std::uint32_t rank_of(std::uint32_t comm, std::uint32_t world_rank) const;

  /// World ranks of all members in order. Empty for communicators of one process each (MPI_COMM_SELF). The local group
  /// first, then the remote one for inter-communicators.
  const std::vector<std::uint32_t>& members(std::uint32_t comm) const { return *comms_[comm].members; }

  /// Members 0 .. local_size - 1 are the local group; equal to the number of members without a remote group.
  std::size_t local_size(std::uint32_t comm) const { return comms_[comm].local_size; }

  /// It has members that are not recorded: what is done with them is not looked at.
  bool leads_outside(std::uint32_t comm) const { return comms_[comm].leads_outside; }

  std::size_t size() const { return comms_.size(); }

  /// The first communicator with the same groups as `comm`, which may be itself.
  std::uint32_t first_alike(std::uint32_t comm) const { return comms_[comm].first_alike; }

 private:
  struct Comm {
    const std::vector<std::uint32_t>* members = nullptr;
    std::size_t local_size = 0;
    bool is_self = false;
    bool is_inter = false;
    bool leads_outside = false;
    std::uint32_t first_alike = 0;
  };

  void add_remote_group(Comm& comm, const std::vector<std::uint32_t>& remote, bool is_first);
  bool is_local(const Comm& comm, std::uint32_t world_rank) const;

  std::vector<Comm> comms_;
  std::deque<std::vector<std::uint32_t>> both_groups_;  // members of inter-communicators
  FlatMap<std::uint64_t, bool> locals_;  // of inter-communicators: the first alike and a world rank of its local group
};

}  // namespace tarry
