// idle_threads_cube.cpp -- time in which worker threads had nothing to do, computed from a summary.
#include "report/algebra/idle_threads_cube.hpp"

#include <algorithm>

#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

constexpr double kLeastGap = 1e-10;  // seconds; less is rounding

}  // namespace

IdleThreadsCube::IdleThreadsCube(const CubeSource& source)
    : CubeOver(source), masters_(master_threads(structure_)), reader_(source) {
  if (!uses_openmp(structure_)) return;
  teams_ = path_teams(structure_);
  time_ = find_metric(structure_, "time");
  idle_ = find_metric(structure_, "omp_idle_threads");
  limited_ = find_metric(structure_, "omp_limited_parallelism");
  for (const MetricId metric : {time_, idle_, limited_})
    if (metric.is_valid()) structure_.metrics[metric.value].kind = MetricKind::kExclusive;
}

bool IdleThreadsCube::has_row(MetricId metric, CallPathId path) const {
  if (!is_computed(metric)) return source_.has_row(metric, path);
  if (metric == time_ && reader_.has_exclusive(time_, path)) return true;
  if (metric == limited_) return teams_[path.value] == PathTeam::kRegion;
  return teams_[path.value] != PathTeam::kParallel;
}

// The first thread's own time, for each of its workers.
void IdleThreadsCube::read_serial(CallPathId path) const {
  reader_.read_exclusive(time_, path, missing_);
  for (std::size_t location = missing_.size(); location-- > 0;)
    missing_[location] = masters_[location] == location ? 0 : missing_[masters_[location]];
}

// What a thread's time in the region is shorter than the first thread's.
void IdleThreadsCube::read_gaps(CallPathId path) const {
  reader_.read_inclusive(time_, path, missing_);
  for (std::size_t location = missing_.size(); location-- > 0;) {
    const double gap = missing_[masters_[location]] - missing_[location];
    missing_[location] = masters_[location] == location || gap < kLeastGap ? 0 : gap;
  }
}

void IdleThreadsCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  if (!is_computed(metric)) return source_.read_row(metric, path, row);
  std::fill(row.begin(), row.end(), 0);
  missing_.assign(row.size(), 0);
  const PathTeam team = teams_[path.value];
  if (team == PathTeam::kRegion) read_gaps(path);
  if (team == PathTeam::kSerial && metric != limited_) read_serial(path);
  if (metric == time_) reader_.read_exclusive(time_, path, row);
  for (std::size_t location = 0; location < row.size(); ++location) row[location] += missing_[location];
}

}  // namespace tarry
