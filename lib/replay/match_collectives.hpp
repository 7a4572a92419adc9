// match_collectives.hpp -- brings the members of each collective operation together.
#pragma once

#include <bit>
#include <functional>
#include <span>

#include "replay/world.hpp"

namespace tarry {

/// One collective operation with all its members, in the order of their ranks in the communicator.
struct CollectiveInstance {
  struct Member {
    std::uint32_t world_rank = 0;
    Collective* part = nullptr;  // the analysis fills in its result members
  };
  std::span<const Member> members;
  World& world;
  std::size_t local = 0;  // so many of the members are the first of two groups

  CollectiveKind kind() const { return members[0].part->kind; }
  Collective& operator[](std::size_t i) const { return *members[i].part; }
  std::size_t size() const { return members.size(); }

  /// Calls visit(partner) for each from whom the member at position `i` receives, where the trace tells: a rank in the
  /// communicator (in the other group), or a place among the sources of a neighbourhood.
  template <class Visit>
  void for_each_partner(std::size_t i, Visit visit) const {
    const Rows<PartnerMask>& masks = world.ranks()[world.index_of(members[i].world_rank)].partner_masks;
    for (std::size_t at = members[i].part->masks;; ++at) {
      for (std::uint64_t left = masks[at].mask; left != 0; left &= left - 1)
        visit(masks[at].first + static_cast<std::uint32_t>(std::countr_zero(left)));
      if (masks[at].is_last) return;
    }
  }

  /// Equal to size() unless it is an operation between two groups.
  std::size_t local_size() const { return local; }
  bool is_inter() const { return local < members.size(); }

  /// The root's part, or nullptr if no valid root was recorded. Between two groups the members of the other group name
  /// the root by its rank in its own one; those of its own name nobody (MPI_ROOT, MPI_PROC_NULL).
  Collective* root() const {
    if (!is_inter()) {
      const std::uint32_t root = members[0].part->root;
      return root < members.size() ? members[root].part : nullptr;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t first = i < local ? local : 0, last = i < local ? members.size() : local;
      if (const std::uint32_t root = members[i].part->root; root < last - first) return members[first + root].part;
    }
    return nullptr;
  }
};

/// Calls analyse(instance) once for every collective operation with at least two members, and for MPI_Init and
/// MPI_Finalize of one process that is one of several worlds. Members are paired by communicator and order; the results come back to the processes that host the members. Operations in which members
/// are missing or disagree are counted as faults and left out. `analyse` runs on all workers at the same time.
/// Collective over the analysis processes.
void analyse_collectives(World& world, const std::function<void(const CollectiveInstance&)>& analyse);

}  // namespace tarry
