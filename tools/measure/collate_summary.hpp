// collate_summary.hpp -- the call-path summaries of all threads become one report.
#pragma once

#include <vector>

#include "archive/contents.hpp"
#include "defs/definitions.hpp"
#include "report/report.hpp"

namespace tarry {

/// Metrics visits, time, min_time, max_time, bytes_sent, bytes_received (docs/METRICS.md). Call paths that run through
/// the same regions are one; their order is that of their first appearance, locations in order.
Report collate_summary(const Definitions& definitions, const std::vector<ThreadProfile>& profiles);

}  // namespace tarry
