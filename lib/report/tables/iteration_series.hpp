// iteration_series.hpp -- a metric of a report by iteration and process: a time series.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/tables/iteration_table.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// One metric: values[iteration * ranks.size() + process], in its unit, inclusive of all that an iteration calls and of
/// all threads. A row of several iterations has their sum.
struct IterationSeries {
  std::string region, metric, unit;
  std::vector<IterationRange> iterations;
  std::vector<std::int64_t> ranks;
  std::vector<double> values;

  std::span<const double> row(std::size_t iteration) const {
    return std::span(values).subspan(iteration * ranks.size(), ranks.size());
  }
  /// The same for one iteration of the row.
  std::vector<double> mean_row(std::size_t iteration) const;
};

/// The iterations of `region` in a report: from its table of iterations, if that is about this region. Else from its
/// call paths: those of single iterations ("step=7") and of clusters. `metrics`: unique names or shell patterns. A
/// metric of the catalogue that the report has no values of is 0. Fails if the report does not know iterations of the
/// region, or a metric.
Result<IterationTable> read_iterations(const Report& report, const std::string& region,
                                       std::span<const std::string> metrics);

/// One metric, by its unique name.
Result<IterationSeries> read_iterations(const Report& report, const std::string& region, const std::string& metric);

IterationSeries series_of(const IterationTable& table, const IterationMetric& metric);

/// "7", "8-15", or of a cluster "8..90 (12)".
std::string iteration_label(const IterationRange& range);

}  // namespace tarry
