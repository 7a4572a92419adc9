// example_report.hpp -- a report built in memory: three ranks, the last of which computes longest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "report/tree/report.hpp"

namespace tarry {

inline std::uint32_t add_region(Report& report, const char* name, const char* paradigm, const char* role) {
  ReportRegion region;
  region.name = name;
  region.paradigm = paradigm;
  region.role = role;
  report.structure.regions.push_back(region);
  return static_cast<std::uint32_t>(report.structure.regions.size() - 1);
}

inline CallPathId add_path(Report& report, std::uint32_t region, CallPathId parent) {
  ReportCallPath path;
  path.region = region;
  path.parent = parent;
  report.structure.call_paths.push_back(path);
  return CallPathId(report.structure.call_paths.size() - 1);
}

inline MetricId add_metric(Report& report, const char* name, const char* display, MetricKind kind, MetricId parent = {},
                           const char* unit = "sec") {
  ReportMetric metric;
  metric.unique_name = name;
  metric.display_name = display;
  metric.unit = unit;
  metric.kind = kind;
  metric.parent = parent;
  return report.add_metric(metric);
}

inline void set(Report& report, MetricId metric, CallPathId path, std::initializer_list<double> values) {
  std::copy(values.begin(), values.end(), report.row(metric, path).begin());
}

struct Example {
  Report report;
  CallPathId root, compute, allreduce, receive;
  MetricId time;

  Example() {
    ReportStructure& structure = report.structure;
    structure.system_nodes = {{"cluster", "machine", "", 0xffffffffu, {}}, {"n0", "node", "", 0, {}}};
    for (int rank = 0; rank < 3; ++rank) {
      structure.processes.push_back({"MPI Rank " + std::to_string(rank), "process", rank, 1, {}});
      structure.locations.push_back({"Master thread", "thread", 0, static_cast<std::uint32_t>(rank), {}});
    }
    root = add_path(report, add_region(report, "heat", "user", "function"), {});
    compute = add_path(report, add_region(report, "compute", "user", "function"), root);
    allreduce = add_path(report, add_region(report, "MPI_Allreduce", "mpi", "all2all"), root);
    receive = add_path(report, add_region(report, "MPI_Recv", "mpi", "point2point"), root);
    time = add_metric(report, "time", "Time", MetricKind::kInclusive);
    set(report, time, root, {10, 10, 10});
    set(report, time, compute, {4, 4, 8});
    set(report, time, allreduce, {4, 4, 1});
    set(report, time, receive, {1, 1, 0});
    const MetricId visits = add_metric(report, "visits", "Visits", MetricKind::kExclusive, {}, "occ");
    for (const CallPathId path : {root, compute, allreduce}) set(report, visits, path, {1, 1, 1});
    set(report, visits, receive, {2, 2, 0});
  }

  void add_waits() {
    const MetricId nxn = add_metric(report, "mpi_wait_nxn", "Wait at N x N", MetricKind::kExclusive, time);
    set(report, nxn, allreduce, {3.5, 3.25, 0});
    const MetricId late = add_metric(report, "mpi_latesender", "Late Sender", MetricKind::kExclusive, time);
    const MetricId wrong =
        add_metric(report, "mpi_latesender_wo", "Messages in Wrong Order", MetricKind::kExclusive, late);
    set(report, late, receive, {0.5, 0.5, 0});
    set(report, wrong, receive, {0.5, 0.25, 0});
    add_metric(report, "mpi_wait_direct", "Direct", MetricKind::kExclusive);
  }
};

}  // namespace tarry
