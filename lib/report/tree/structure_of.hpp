// structure_of.hpp -- the system tree and the regions of a report, from the definitions of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "defs/definitions.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The place from which the call path's region is called, as the cube format has it.
void set_call_site(const Definitions& definitions, const Region& region, ReportCallPath& path);

/// Numbers of the definitions' regions in structure_of(): regions as they are called from one place are their bases.
std::vector<std::uint32_t> report_regions(const Definitions& definitions);

/// Regions, system nodes, processes, threads and queues (report_numbers()). System nodes and processes have the same
/// indices as in `definitions`. Neither metrics nor call paths.
ReportStructure structure_of(const Definitions& definitions);

/// Its system tree alone: system nodes, processes with what they recorded of themselves (kProcessorUseAttribute),
/// threads and topologies. Readers of reports need a node for each process. One that has none is on the last one, and
/// a run without system nodes gets a machine and a node.
void add_system(const Definitions& definitions, ReportStructure& structure);

}  // namespace tarry
