// metric_tree.hpp -- the metrics of a report as a tree: spelling of kinds, and the order they are listed in.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// "EXCLUSIVE", "POSTDERIVED", ...
std::string_view metric_kind_text(MetricKind kind);

/// Understands old spellings too; unknown text is EXCLUSIVE, as other readers have it.
MetricKind find_metric_kind(std::string_view text);

/// True for metrics that own no values but a CubePL expression.
bool is_derived(MetricKind kind);

/// Metric by unique name; may miss.
MetricId find_metric(const ReportStructure& report, std::string_view unique_name);

struct ListedMetric {
  MetricId metric;
  std::uint32_t depth = 0;
};

/// Every metric that is not void, depth first; ghosts form a forest of their own at the end, as other readers need
/// it. A metric below one that is listed elsewhere or not at all moves up to the next ancestor that is listed here.
std::vector<ListedMetric> list_metrics(const std::vector<ReportMetric>& metrics);

}  // namespace tarry
