// time_classes.cpp -- what the time of a report was spent on, by the kind of region.
#include "report/time_classes.hpp"

#include <string>

#include "base/text.hpp"
#include "report/metric_totals.hpp"
#include "report/metric_tree.hpp"

namespace tarry {
namespace {

TimeClass mpi_class(const ReportRegion& region) {
  const std::string name = plain_name(region.name);
  const auto starts = [&name](std::string_view prefix) { return name.starts_with(prefix); };
  if (region.role == "barrier") return TimeClass::kSynchronization;
  if (region.role == "point2point") return TimeClass::kPointToPoint;
  if (is_one_of(name, {"mpi_wait", "mpi_waitall", "mpi_waitany", "mpi_waitsome", "mpi_test", "mpi_testall",
                       "mpi_testany", "mpi_testsome"}))
    return TimeClass::kPointToPoint;
  if (is_one_of(region.role, {"one2all", "all2one", "all2all", "other collective"})) return TimeClass::kCollective;
  if (is_one_of(region.role, {"rma", "atomic"})) return TimeClass::kOneSided;
  if (starts("mpi_file_read") || starts("mpi_file_write") || starts("mpi_file_iread") || starts("mpi_file_iwrite"))
    return TimeClass::kFileIo;
  if (starts("mpi_win_lock") || starts("mpi_win_unlock") || starts("mpi_win_flush") ||
      is_one_of(name, {"mpi_win_complete", "mpi_win_fence", "mpi_win_post", "mpi_win_start", "mpi_win_test",
                       "mpi_win_wait", "mpi_win_sync"}))
    return TimeClass::kSynchronization;
  return TimeClass::kManagement;
}

// The bodies of loops, sections and tasks are computation.
bool is_openmp_cost(const ReportRegion& region) {
  return region.name.starts_with("omp_") ||
         is_one_of(region.role, {"barrier", "implicit barrier", "critical", "atomic", "ordered", "taskwait", "flush"});
}

}  // namespace

TimeClass time_class(const ReportRegion& region) {
  if (region.paradigm == "mpi" && region.name != "PARALLEL") return mpi_class(region);
  if (region.paradigm == "openmp") return is_openmp_cost(region) ? TimeClass::kOpenMp : TimeClass::kComputation;
  if (region.paradigm == "pthread") return TimeClass::kThreads;
  if (is_one_of(region.name, {"TRACE BUFFER FLUSH", "TRACING"})) return TimeClass::kOverhead;
  return TimeClass::kComputation;
}

std::string_view name_of(TimeClass kind) {
  static constexpr std::string_view kNames[kTimeClasses] = {
      "computation", "point_to_point", "collective", "synchronization", "one_sided", "file_io", "management",
      "openmp",      "threads",        "idle",       "overhead"};
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
