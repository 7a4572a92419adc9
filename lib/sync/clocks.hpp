// clocks.hpp -- which locations of a trace share a clock, and which analysis process computes which clocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arrays/indexed.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Processes of a node share its clock, unless the trace shows that they cannot: then each process has one of its own,
/// or each thread.
enum class ClockLevel : std::uint8_t { kNode, kProcess, kThread };

using ClockId = StrongId<struct ClockTag>;

struct Clocks {
  Indexed<LocationId, std::vector<ClockId>> of_location;
  std::uint32_t count = 0;

  ClockId of(LocationId location) const { return of_location[location]; }
};

/// Numbers the clocks in the order of locations.
Clocks clocks_of(const Definitions& definitions, ClockLevel level);

/// Clocks that follow one another.
struct ClockBlock {
  ClockId first{0};
  std::uint32_t count = 0;

  ClockId operator[](std::size_t i) const { return ClockId(first.value + i); }
  bool contains(ClockId clock) const { return index_of(clock) < count; }
  std::uint32_t index_of(ClockId clock) const { return clock.value - first.value; }
};

/// Each analysis process computes a block of clocks with about as many events as those of the others.
class ClockBlocks {
 public:
  ClockBlocks(const Definitions& definitions, const Clocks& clocks, int processes);
  /// `weights`: the work of each clock.
  ClockBlocks(std::span<const double> weights, int processes);

  int processes() const { return static_cast<int>(blocks_.size()); }
  const ClockBlock& of(int process) const { return blocks_[static_cast<std::size_t>(process)]; }
  int host_of(ClockId clock) const { return hosts_[clock]; }

 private:
  Indexed<ClockId, std::vector<int>> hosts_;
  std::vector<ClockBlock> blocks_;
};

}  // namespace tarry
