// clocks.hpp -- which locations of a trace share a clock.
#pragma once

#include <cstdint>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// Processes of a node share its clock, unless the trace shows that they cannot: then each process has one of its own,
/// or each thread.
enum class ClockLevel : std::uint8_t { kNode, kProcess, kThread };

struct Clocks {
  std::vector<std::uint32_t> of_location;
  std::uint32_t count = 0;
};

/// Numbers the clocks in the order of locations.
Clocks clocks_of(const Definitions& definitions, ClockLevel level);

}  // namespace tarry
