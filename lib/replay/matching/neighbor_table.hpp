// neighbor_table.hpp -- from which neighbours processes receive in neighbourhood collectives.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/arrays/indexed.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// The sources of all members of one communicator with a topology.
class NeighborLists {
 public:
  /// Whether the trace tells the neighbours of the member at `rank`.
  bool is_known(CommRank rank) const { return rank.value + 1 < first_.size() && is_known_[rank.value]; }

  /// In the order in which MPI receives from them; none beyond the edge of a grid.
  IdView<CommRank> sources(CommRank rank) const {
    const std::size_t first = first_[rank.value];
    return std::span(sources_).subspan(first, first_[rank.value + 1] - first);
  }

  /// The next rank's; nullptr: unknown.
  void add(const std::vector<std::uint32_t>* sources);

 private:
  std::vector<std::size_t> first_{0};
  std::vector<std::uint32_t> sources_;
  std::vector<bool> is_known_;
};

/// Makes the lists of communicators when they are first asked for. Thread-safe.
class NeighborTable {
 public:
  explicit NeighborTable(const Definitions& definitions);

  /// nullptr for a communicator without topology.
  const NeighborLists* find(CommId comm) const;

 private:
  NeighborLists lists_of(CommId comm) const;

  const Definitions& definitions_;
  std::unordered_map<CommId, const CartTopology*> carts_;
  std::unordered_map<CommId, std::vector<const Neighborhood*>> graphs_;
  mutable std::mutex mutex_;
  mutable std::map<CommId, NeighborLists> lists_;
};

}  // namespace tarry
