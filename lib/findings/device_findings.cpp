// device_findings.cpp -- what the queues of accelerators did in a run, from its report.
#include "findings/device_findings.hpp"

#include <algorithm>
#include <string_view>

#include "report/algebra/metric_totals.hpp"
#include "report/metrics/metrics.hpp"

namespace tarry {
namespace {

MetricTotals device_totals(const Report& report, Metric metric) {
  const MetricId id = report.find_metric(info_of(metric).unique_name);
  return id.is_valid() ? total_of(report, id) : MetricTotals();
}

// Locations with device time.
std::size_t count_queues(const Report& report, MetricId time) {
  std::vector<bool> works(report.structure.locations.size());
  std::vector<double> row;
  for (std::size_t path = 0; path < report.structure.call_paths.size(); ++path)
    if (report.exclusive_row(time, CallPathId(path), row))
      for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] > 0) works[i] = true;
  return static_cast<std::size_t>(std::ranges::count(works, true));
}

}  // namespace

std::optional<DeviceFindings> find_devices(const Report& report, std::size_t most) {
  const MetricId time = report.find_metric(info_of(Metric::kDeviceTime).unique_name);
  if (!time.is_valid()) return std::nullopt;
  DeviceFindings found;
  found.queues = count_queues(report, time);
  found.time = total_of(report, time).whole;
  if (found.time <= 0) return std::nullopt;
  const MetricTotals kernels = device_totals(report, Metric::kDeviceKernels),
                     visits = device_totals(report, Metric::kVisits);
  found.kernels = kernels.whole;
  found.copies = device_totals(report, Metric::kDeviceCopies).whole;
  found.idle = device_totals(report, Metric::kDeviceIdle).whole;
  found.exposed = device_totals(report, Metric::kDeviceCopiesExposed).whole;
  found.late_launch = device_totals(report, Metric::kLateLaunch).whole;
  found.bytes = device_totals(report, Metric::kDeviceBytes).whole;
  for (std::size_t path = 0; path < kernels.exclusive.size(); ++path)
    if (kernels.exclusive[path] > 0)
      found.longest.push_back({CallPathId(path), kernels.exclusive[path], visits.exclusive[path]});
  std::ranges::stable_sort(found.longest, std::greater(), &KernelFinding::seconds);
  if (found.longest.size() > most) found.longest.resize(most);
  return found;
}

}  // namespace tarry
