// idle_threads_cube.hpp -- time in which worker threads had nothing to do, computed from a summary.
//
// Outside parallel regions every worker is idle as long as the first thread of its process runs. Of an outermost
// parallel region, a thread misses what its part is shorter than the first thread's: it was not in the team (limited
// parallelism). `time` is that of the allocation from then on: idle threads count.
// Source: docs/METRICS.md, "Idle threads". Replay computes the same from events: lib/analysis/imbalance.
#pragma once

#include <cstdint>
#include <vector>

#include "report/algebra/cube_over.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/parallel_paths.hpp"

namespace tarry {

/// The metrics `omp_idle_threads` and `omp_limited_parallelism` of `source`, which has no values of them, and `time`
/// with them. Rows are computed when read; memory: some rows.
class IdleThreadsCube : public CubeOver {
 public:
  explicit IdleThreadsCube(const CubeSource& source);

  bool has_row(MetricId metric, CallPathId path) const override;
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;

 private:
  bool is_computed(MetricId metric) const {
    return metric.is_valid() && (metric == time_ || metric == idle_ || metric == limited_);
  }
  void read_serial(CallPathId path) const;
  void read_gaps(CallPathId path) const;

  MetricId time_, idle_, limited_;
  std::vector<PathTeam> teams_;         // by call path
  std::vector<std::uint32_t> masters_;  // by location
  mutable FlavourReader reader_;
  mutable std::vector<double> missing_;  // by location: what is computed
};

}  // namespace tarry
