// computing_paths.hpp -- the call paths of a process on which it computes, and the regions with most of that.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "replay/trace.hpp"

namespace tarry {

/// By path: not in MPI, nor where threads wait for each other.
std::vector<bool> computing_paths(const Trace& trace, const LogicalRank& rank);

/// A region by name, and what all threads compute in it, without what it calls.
struct HeavyRegion {
  std::string name;
  Ticks work = 0;
  RegionId region{};  // one of those that are called so
};

/// The `most` heaviest regions; of equal ones in order of definition.
std::vector<HeavyRegion> heaviest_regions(const Trace& trace, std::size_t most);

}  // namespace tarry
