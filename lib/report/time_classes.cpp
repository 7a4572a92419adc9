// time_classes.cpp -- what the time of a report was spent on, by the kind of region.
#include "report/time_classes.hpp"

#include "report/metric_totals.hpp"
#include "report/metric_tree.hpp"
#include "report/region_metrics.hpp"

namespace tarry {
namespace {

// Of metrics of the time tree and all below them.
constexpr struct {
  Metric metric;
  TimeClass kind;
} kClasses[] = {
    {Metric::kComputation, TimeClass::kComputation},
    {Metric::kMpiPointToPoint, TimeClass::kPointToPoint},
    {Metric::kMpiCollective, TimeClass::kCollective},
    {Metric::kMpiSynchronization, TimeClass::kSynchronization},
    {Metric::kMpiRmaCommunication, TimeClass::kOneSided},
    {Metric::kMpiIo, TimeClass::kFileIo},
    {Metric::kIoTime, TimeClass::kOwnFileIo},
    {Metric::kMpi, TimeClass::kManagement},
    {Metric::kOmpTime, TimeClass::kOpenMp},
    {Metric::kPthreadTime, TimeClass::kThreads},
    {Metric::kOverhead, TimeClass::kOverhead},
};

}  // namespace

TimeClass time_class(const ReportRegion& region) {
  for (Metric metric = metrics_of(kind_of(region)).time; metric != Metric::kNone; metric = info_of(metric).parent)
    for (const auto& [part, kind] : kClasses)
      if (metric == part) return kind;
  return TimeClass::kComputation;
}

std::string_view name_of(TimeClass kind) {
  static constexpr std::string_view kNames[kTimeClasses] = {
      "computation", "point_to_point", "collective", "synchronization", "one_sided", "file_io",
      "management",  "openmp",         "threads",    "own_file_io",     "idle",      "overhead"};
  return kNames[static_cast<std::size_t>(kind)];
}

TimeShares time_shares(const Report& report) { return time_shares(ReportCube(report)); }

TimeShares time_shares(const CubeSource& report) {
  TimeShares shares;
  const ReportStructure& structure = report.structure();
  const MetricId time = find_metric(structure, "time");
  if (!time.is_valid()) return shares;
  const MetricTotals totals = total_of(report, time);
  MetricTotals idle;
  if (const MetricId metric = find_metric(structure, "omp_idle_threads"); metric.is_valid())
    idle = total_of(report, metric);
  const auto at = [&shares](TimeClass kind) -> Seconds& { return shares.seconds[static_cast<std::size_t>(kind)]; };
  for (std::size_t path = 0; path < totals.exclusive.size(); ++path) {
    const Seconds idle_here = idle.exclusive.empty() ? 0 : idle.exclusive[path];
    at(time_class(structure.regions[structure.call_paths[path].region])) += totals.exclusive[path] - idle_here;
    at(TimeClass::kIdle) += idle_here;
  }
  shares.total = totals.whole;
  for (std::size_t kind = 0; kind < kTimeClasses; ++kind)
    if (is_mpi(static_cast<TimeClass>(kind))) shares.mpi += shares.seconds[kind];
  return shares;
}

}  // namespace tarry
