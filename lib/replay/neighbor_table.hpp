// neighbor_table.hpp -- from whom processes receive in neighbourhood collectives.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// The sources of all members of one communicator with a topology.
class NeighborLists {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffu;

  /// Whether the trace tells the neighbours of the member at `rank`.
  bool is_known(std::uint32_t rank) const { return rank + 1 < first_.size() && is_known_[rank]; }

  /// Ranks in the communicator, in the order in which MPI receives from them; kNobody beyond the edge of a grid.
  std::span<const std::uint32_t> sources(std::uint32_t rank) const {
    return std::span(sources_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
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
  const NeighborLists* find(std::uint32_t comm) const;

 private:
  NeighborLists lists_of(std::uint32_t comm) const;

  const Definitions& definitions_;
  std::unordered_map<std::uint32_t, const CartTopology*> carts_;                     // by communicator
  std::unordered_map<std::uint32_t, std::vector<const Neighborhood*>> graphs_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, NeighborLists> lists_;
};

}  // namespace tarry
