// structure_of.hpp -- the system tree and the regions of a report, from the definitions of a run.
#pragma once

#include "defs/definitions.hpp"
#include "report/report.hpp"

namespace tarry {

/// Regions, system nodes, processes and locations with the same indices as in `definitions`; neither metrics nor call
/// paths. A run without system nodes gets a machine and a node, as readers of reports need them.
ReportStructure structure_of(const Definitions& definitions);

}  // namespace tarry
