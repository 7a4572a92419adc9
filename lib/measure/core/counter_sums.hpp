// counter_sums.hpp -- the values of a thread's counters, for each call path.
//
// What a counter has increased by goes to the path that was open meanwhile. Of levels, the highest value is kept. The
// sums lie behind the path (profile_slabs.hpp).
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "archive/profile/profile_memory.hpp"
#include "defs/definitions.hpp"

namespace tarry::measure {

class CounterSums {
 public:
  /// The counters, and which of them are levels. Before the first path.
  void use(std::span<const CounterId> ids, std::span<const bool> levels);

  std::span<const CounterId> ids() const { return ids_; }
  std::span<std::uint64_t> of(PathNode& path) const {
    return {reinterpret_cast<std::uint64_t*>(&path + 1), ids_.size()};
  }

  /// Values just before a region is entered or left. `open` is nullptr outside of all paths.
  void count(PathNode* open, std::span<const std::uint64_t> values);

  /// Levels just behind: they have been reached in the path that is open now, too.
  void raise(PathNode* open, std::span<const std::uint64_t> values) const;

  void add(PathNode& to, PathNode& from) const;
  void clear(PathNode& path) const;

 private:
  std::vector<CounterId> ids_;
  std::vector<bool> is_level_;
  std::vector<std::uint64_t> counted_;  // their values when they were last counted
};

}  // namespace tarry::measure
