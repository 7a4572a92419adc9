// clocks.hpp -- which locations of a trace share a clock, and which analysis process computes which clocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Processes of a node share its clock, unless the trace shows that they cannot: then each process has one of its own,
/// or each thread.
enum class ClockLevel : std::uint8_t { kNode, kProcess, kThread };

using ClockId = StrongId<struct ClockTag>;

struct Clocks {
  std::vector<ClockId> of_location;
  std::uint32_t count = 0;

  ClockId of(LocationId location) const { return of_location[location.value]; }
};

/// Numbers the clocks in the order of locations.
Clocks clocks_of(const Definitions& definitions, ClockLevel level);

/// Clocks that follow one another.
struct ClockBlock {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  ClockId operator[](std::size_t i) const { return ClockId(first + i); }
  bool contains(ClockId clock) const { return clock.value - first < count; }
  std::uint32_t index_of(ClockId clock) const { return clock.value - first; }
};

/// Each analysis process computes a block of clocks with about as many events as those of the others.
class ClockBlocks {
 public:
  ClockBlocks(const Definitions& definitions, const Clocks& clocks, int processes);
  /// `weights`: the work of each clock.
  ClockBlocks(std::span<const double> weights, int processes);

  int processes() const { return static_cast<int>(blocks_.size()); }
  const ClockBlock& of(int process) const { return blocks_[static_cast<std::size_t>(process)]; }
  int host_of(ClockId clock) const { return hosts_[clock.value]; }

 private:
  std::vector<int> hosts_;  // of each clock
  std::vector<ClockBlock> blocks_;
};

}  // namespace tarry
