// time_classes.cpp -- what the time of a report was spent on, by the kind of region.
#include "report/metrics/time_classes.hpp"

#include "defs/artificial_regions.hpp"
#include "report/algebra/metric_totals.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/metrics/region_metrics.hpp"

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
    {Metric::kShmem, TimeClass::kShmem},
    {Metric::kOmpTime, TimeClass::kOpenMp},
    {Metric::kPthreadTime, TimeClass::kThreads},
    {Metric::kAccelerator, TimeClass::kAccelerator},
    {Metric::kOverhead, TimeClass::kOverhead},
};

}  // namespace

TimeClass time_class(const ReportRegion& region) {
  for (Metric metric = metrics_of(kind_of(region)).time; metric != Metric::kNone; metric = info_of(metric).parent)
    for (const auto& [part, kind] : kClasses)
      if (metric == part) return kind;
  return TimeClass::kComputation;
}

bool is_file_metadata(const ReportRegion& region) { return region.role == name_of(RegionRole::kFileIoMetadata); }

bool is_recording_off(const ReportRegion& region) {
  return region.name == kMeasurementOffName && region.paradigm == name_of(Paradigm::kMeasurement);
}

std::string_view name_of(TimeClass kind) {
  static constexpr std::string_view kNames[kTimeClasses] = {
      "computation", "point_to_point", "collective", "synchronization", "one_sided",
      "file_io",     "management",     "openmp",     "threads",         "own_file_io",
      "accelerator", "idle",           "overhead",   "blocked",         "shmem"};
  return kNames[static_cast<std::size_t>(kind)];
}

TimeShares time_shares(const Report& report) { return time_shares(ReportCube(report)); }

TimeShares time_shares(const CubeSource& report) {
  TimeShares shares;
  const ReportStructure& structure = report.structure();
  const MetricId time = find_metric(structure, "time");
  if (!time.is_valid()) return shares;
  const MetricTotals totals = total_of(report, time);
  const auto part = [&](const char* name) {
    const MetricId metric = find_metric(structure, name);
    return metric.is_valid() ? total_of(report, metric) : MetricTotals();
  };
  const MetricTotals idle = part("omp_idle_threads"), blocked = part("blocked"), management = part("omp_management");
  const auto at = [&shares](TimeClass kind) -> Seconds& { return shares.seconds[static_cast<std::size_t>(kind)]; };
  const auto here = [](const MetricTotals& of, std::size_t path) {
    return of.exclusive.empty() ? 0 : of.exclusive[path];
  };
  for (std::size_t path = 0; path < totals.exclusive.size(); ++path) {
    const ReportRegion& region = structure.regions[structure.call_paths[path].region];
    const TimeClass kind = time_class(region);
    const Seconds idle_here = here(idle, path), blocked_here = here(blocked, path);
    const Seconds managed_here = kind == TimeClass::kComputation ? here(management, path) : 0;
    const Seconds rest = totals.exclusive[path] - idle_here - blocked_here - managed_here;
    at(kind) += rest;
    if (kind == TimeClass::kOwnFileIo && is_file_metadata(region)) shares.file_metadata += rest;
    if (is_recording_off(region)) shares.recording_off += rest;
    at(TimeClass::kOpenMp) += managed_here;
    at(TimeClass::kIdle) += idle_here;
    at(TimeClass::kBlocked) += blocked_here;
  }
  shares.total = totals.whole;
  for (std::size_t kind = 0; kind < kTimeClasses; ++kind)
    if (is_mpi(static_cast<TimeClass>(kind))) shares.mpi += shares.seconds[kind];
  return shares;
}

}  // namespace tarry
