// derived_rows.hpp -- rows of a summary that compare threads: idle threads and computational imbalance.
//
// Replay computes the same from events: lib/analysis/imbalance. Source: docs/METRICS.md, "Idle threads",
// "Computational imbalance".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "defs/definitions.hpp"
#include "report/algebra/imbalance.hpp"
#include "report/tree/parallel_paths.hpp"
#include "report/tree/report.hpp"
#include "summary/node_values.hpp"
#include "summary/row_table.hpp"

namespace tarry {

/// The row of a metric as it was counted; values in ticks or numbers, one for each location.
using CountedRow = std::function<std::span<const double>(SummaryMetric)>;

/// The counted metrics of which a row is made.
struct RowParts {
  std::array<SummaryMetric, 3> metrics{};
  std::size_t count = 0;

  const SummaryMetric* begin() const { return metrics.data(); }
  const SummaryMetric* end() const { return begin() + count; }
};

class DerivedRows {
 public:
  DerivedRows() = default;
  /// Of a report with all its call paths. `has_regions`: by process, whether it had parallel regions.
  DerivedRows(const Definitions& definitions, const ReportStructure& structure, const std::vector<bool>& has_regions);

  /// The metrics whose values make a row of `metric` on a call path: `metric` itself if it is not derived.
  RowParts parts_of(SummaryMetric metric, CallPathId path) const;

  /// Adds the derived rows to a table of the counted ones.
  void add_rows(RowTable& rows) const;

  /// The row of any metric, from the rows that parts_of() names. `row` holds zeros.
  void make_row(SummaryMetric metric, CallPathId path, const CountedRow& counted, std::span<double> row) const;

 private:
  void add_idle(CallPathId path, const CountedRow& counted, bool is_limited_only, std::span<double> row) const;
  void add_imbalance(double Imbalance::*part, CallPathId path, const CountedRow& counted, std::span<double> row) const;
  void add_rows_of_idle(std::uint32_t path, RowTable& rows) const;

  std::vector<PathTeam> teams_;         // by call path
  std::vector<std::uint32_t> masters_;  // by location: the first thread of its process
  std::vector<bool> is_worker_;         // by location: another thread of a process with parallel regions
  ThreadBalance balance_;               // of the locations
  bool has_workers_ = false;
};

}  // namespace tarry
