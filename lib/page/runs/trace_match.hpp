// trace_match.hpp -- call paths, metrics and threads of a trace as the page numbers those of a report.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "page/runs/explored_run.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trees/region_table.hpp"
#include "report/metrics/metrics.hpp"

namespace tarry {

inline constexpr std::uint32_t kNotOnPage = 0xffffffffu;

/// [unified path]: that of the page with the same names, lines and parents; where there is none, that of the parent.
std::vector<std::uint32_t> match_paths(const ExploredRun& run, const Definitions& definitions,
                                       const RegionTable& regions, const CallTree& tree, bool is_redacted);

/// Whether it has queues of accelerators.
bool has_queues(const ReportStructure& structure);

/// [thread of the trace, or queue if the report has some]: that of the report with the same rank and number; kNotOnPage
/// if there is none.
std::vector<std::uint32_t> match_locations(const ReportStructure& structure, const Definitions& definitions);

/// The metric's number on the page, or that of the next one above that is there.
std::uint32_t match_metric(const ExploredRun& run, Metric metric);

}  // namespace tarry
