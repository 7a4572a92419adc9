// told_places.hpp -- which causes of waiting one sentence tells together: those in one function, if none stands out.
#pragma once

#include <cstddef>
#include <vector>

#include "findings/causes/cause_costs.hpp"

namespace tarry {

/// What one sentence is about.
struct ToldPlaces {
  std::vector<std::size_t> places;  // most costly first
  // Callers that the other places in this function do not have, the nearest first. Of a wrapper of operations, the
  // function that uses it here.
  std::vector<CallPathId> separators;
  std::vector<CallPathId> callers;  // where they part: the next callers of each, most costly first
};

/// All places, by what their sentences are about; most costly first. Places in one function are told together. Where
/// some of its callers stand out, each of these is told alone. `places`: most costly first; `waiting`: of the report.
std::vector<ToldPlaces> group_places(const ReportStructure& structure, const std::vector<CausePlace>& places,
                                     Seconds waiting);

}  // namespace tarry
