// device_findings.cpp -- what the queues of accelerators did in a run, from its report.
#include "findings/device_findings.hpp"

#include <algorithm>
#include <string_view>

#include "report/algebra/metric_totals.hpp"
#include "report/metrics/metrics.hpp"

namespace tarry {
namespace {

MetricId metric_in(const Report& report, Metric metric) { return report.find_metric(info_of(metric).unique_name); }

MetricTotals device_totals(const Report& report, Metric metric) {
  const MetricId id = metric_in(report, metric);
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

// By process; nothing for those without queues.
using QueueSums = std::vector<std::optional<Seconds>>;

void add_queues(const Report& report, MetricId metric, CallPathId path, QueueSums& into) {
  std::vector<double> row;
  if (!report.exclusive_row(metric, path, row)) return;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (const ReportLocation& location = report.structure.locations[i]; !location.is_thread())
      into[location.process] = into[location.process].value_or(0) + row[i];
}

double offload_efficiency(const Report& report) {
  const Seconds useful = device_totals(report, Metric::kComputation).whole;
  const Seconds calls = device_totals(report, Metric::kAccelerator).whole;
  return useful + calls > 0 ? useful / (useful + calls) : 0;
}

// How a kernel is spread over processes with queues.
void add_kernel_spread(const Report& report, KernelFinding& kernel) {
  const ReportStructure& structure = report.structure;
  QueueSums sums(structure.processes.size());
  add_queues(report, metric_in(report, Metric::kDeviceKernels), kernel.call_path, sums);
  std::size_t processes = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i]) continue;
    ++processes;
    if (*sums[i] <= kernel.largest) continue;
    kernel.largest = *sums[i];
    kernel.worst = ReportRank(structure.processes[i].rank);
  }
  kernel.mean = kernel.seconds / static_cast<double>(std::max<std::size_t>(1, processes));
}

// Of one location.
QueuedPath path_with_most(const Report& report, Metric metric, std::size_t location) {
  const MetricId id = metric_in(report, metric);
  QueuedPath largest;
  std::vector<double> row;
  for (std::size_t path = 0; id.is_valid() && path < report.structure.call_paths.size(); ++path)
    if (report.exclusive_row(id, CallPathId(path), row) && row[location] > largest.seconds)
      largest = {CallPathId(path), row[location]};
  return largest;
}

// The location with most of a metric.
std::size_t location_with_most(const Report& report, MetricId metric) {
  std::vector<double> sums(report.structure.locations.size()), row;
  for (std::size_t path = 0; path < report.structure.call_paths.size(); ++path)
    if (report.exclusive_row(metric, CallPathId(path), row))
      for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
  return static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
}

std::optional<QueueOrderFinding> find_queue_order(const Report& report) {
  QueueOrderFinding found;
  found.waiting = device_totals(report, Metric::kQueueOrder).whole;
  found.holding = device_totals(report, Metric::kQueueHolding).whole;
  if (found.holding <= 0) return std::nullopt;
  const std::size_t queue = location_with_most(report, metric_in(report, Metric::kQueueHolding));
  found.waits = path_with_most(report, Metric::kQueueOrder, queue);
  found.holds = path_with_most(report, Metric::kQueueHolding, queue);
  if (!found.waits.call_path.is_valid() || !found.holds.call_path.is_valid()) return std::nullopt;
  return found;
}

}  // namespace

std::vector<std::optional<DeviceTimes>> times_of_devices(const Report& report, const std::vector<bool>& counts) {
  const auto sums_of = [&](Metric metric) {
    QueueSums sums(report.structure.processes.size());
    const MetricId id = metric_in(report, metric);
    for (std::size_t path = 0; id.is_valid() && path < counts.size(); ++path)
      if (counts[path]) add_queues(report, id, CallPathId(path), sums);
    return sums;
  };
  const QueueSums busy = sums_of(Metric::kDeviceBusy), exposed = sums_of(Metric::kDeviceCopiesExposed);
  std::vector<std::optional<DeviceTimes>> times(busy.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (busy[i] || exposed[i]) times[i] = {.busy = busy[i].value_or(0), .exposed_copies = exposed[i].value_or(0)};
  return times;
}

std::optional<DeviceFindings> find_devices(const Report& report, Seconds wall, std::size_t most) {
  const MetricId time = metric_in(report, Metric::kDeviceTime);
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
  const std::vector<bool> all_paths(report.structure.call_paths.size(), true);
  found.efficiencies = device_efficiencies(times_of_devices(report, all_paths), wall);
  found.offload_efficiency = offload_efficiency(report);
  found.order = find_queue_order(report);
  for (std::size_t path = 0; path < kernels.exclusive.size(); ++path)
    if (kernels.exclusive[path] > 0)
      found.longest.push_back(
          {.call_path = CallPathId(path), .seconds = kernels.exclusive[path], .executions = visits.exclusive[path]});
  std::ranges::stable_sort(found.longest, std::greater(), &KernelFinding::seconds);
  if (found.longest.size() > most) found.longest.resize(most);
  for (KernelFinding& kernel : found.longest) add_kernel_spread(report, kernel);
  return found;
}

}  // namespace tarry
