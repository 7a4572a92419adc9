// match_collectives.hpp -- brings the members of each collective operation together.
#pragma once

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

  CollectiveKind kind() const { return members[0].part->kind; }
  Collective& operator[](std::size_t i) const { return *members[i].part; }
  std::size_t size() const { return members.size(); }

  /// The root's part, or nullptr if no valid root was recorded.
  Collective* root() const {
    const std::uint32_t root = members[0].part->root;
    return root < members.size() ? members[root].part : nullptr;
  }
};

/// Calls analyse(instance) once for every collective operation with at least two members, which are paired by
/// communicator and order; the results come back to the processes that host the members. Operations in which members
/// are missing or disagree are counted as faults and left out. `analyse` runs on all workers at the same time.
/// Collective over the analysis processes.
void analyse_collectives(World& world, const std::function<void(const CollectiveInstance&)>& analyse);

}  // namespace tarry
