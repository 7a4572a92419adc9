// topologies_of.hpp -- the grids of a run as a report shows them.
#pragma once

#include <vector>

#include "defs/definitions.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// One topology for each grid of processes, equal ones once; places are those of the master threads. Graphs
/// have no place in a report.
std::vector<ReportTopology> topologies_of(const Definitions& definitions);

}  // namespace tarry
