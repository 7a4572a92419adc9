// iteration_finding.cpp -- the iterations that stick out in the time series of a report.
#include "findings/iterations/iteration_finding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/format.hpp"

namespace tarry {

static constexpr std::size_t kMostOutliers = 3;

std::optional<IterationFinding> find_outlying_iterations(const Report& report, const std::string& metric) {
  auto table = read_iteration_table(report.files);
  const IterationMetric* const values = table.ok() ? table->find(metric) : nullptr;
  if (!values) return std::nullopt;
  const IterationSeries series = series_of(*table, *values);
  IterationFinding finding{series.region, metric, {}, find_outlying(series), {}};
  if (finding.outliers.empty()) return std::nullopt;
  for (const OutlyingIteration& outlier : finding.outliers) {
    finding.iterations.push_back(series.iterations[outlier.row]);
    finding.ranks.push_back(series.ranks[outlier.largest]);
  }
  return finding;
}

std::string outlying_text(const IterationFinding& finding) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostOutliers, finding.outliers.size()); ++i) {
    const OutlyingIteration& outlier = finding.outliers[i];
    char times[48] = "";
    if (outlier.median > 0)
      std::snprintf(times, sizeof times, ", %.3g times the median", outlier.mean / outlier.median);
    text += (i > 0 ? ", " : "") + iteration_label(finding.iterations[i]) + " (" + format_seconds(outlier.mean) + times +
            ", most at rank " + std::to_string(finding.ranks[i]) + ")";
  }
  if (finding.outliers.size() > kMostOutliers)
    text += " and " + std::to_string(finding.outliers.size() - kMostOutliers) + " more";
  return text;
}

}  // namespace tarry
