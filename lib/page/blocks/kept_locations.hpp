// kept_locations.hpp -- of a report whose values are too many for a page: whose single values it has all the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "page/runs/explored_run.hpp"

namespace tarry {

/// Threads with the most of a metric, and those that are farthest from its median, of each metric in turn; as many as
/// fit into `bytes`. Ascending.
std::vector<std::uint32_t> choose_locations(ExploredRun& run, std::size_t bytes);

/// Groups of locations, of which the page has sums.
struct LocationGroups {
  std::string what;                        // "process" or "node"; empty: there are none
  std::vector<std::uint32_t> of_location;  // which
  std::uint32_t count = 0;
};

/// Processes if they are few and have several threads; else nodes if these are few.
LocationGroups group_locations(const ReportStructure& structure);

}  // namespace tarry
