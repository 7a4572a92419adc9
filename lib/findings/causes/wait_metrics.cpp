// wait_metrics.cpp -- which metrics of a report are time spent waiting.
#include "findings/causes/wait_metrics.hpp"

#include <algorithm>

namespace tarry {
namespace {

const WaitInfo* find_wait(std::string_view name) {
  const auto has_name = [&](const WaitInfo& wait) { return name == info_of(wait.metric).unique_name; };
  const auto found = std::ranges::find_if(wait_states(), has_name);
  return found == wait_states().end() ? nullptr : &*found;
}

bool is_whole(const WaitInfo& wait) { return wait.role == WaitRole::kWait || wait.role == WaitRole::kWorkToReference; }

}  // namespace

WaitFamily wait_family(std::string_view name) {
  if (const WaitInfo* wait = find_wait(name)) return is_whole(*wait) ? wait->family : WaitFamily::kNone;
  if (name.find("lock_contention") != name.npos || name.ends_with("_lock_competition")) return WaitFamily::kLock;
  if (name.starts_with("mpi_rma_wait_at_")) return WaitFamily::kEveryone;
  if (name.ends_with("_wait_for_progress")) return WaitFamily::kPeer;
  if (name.starts_with("mpi_") && name.ends_with("_wait")) return WaitFamily::kEveryone;
  if (name.starts_with("omp_") && name.ends_with("_wait")) return WaitFamily::kTeam;
  return WaitFamily::kNone;
}

WaitFamily part_family(std::string_view part, std::string_view whole) {
  const WaitInfo* wait = find_wait(part);
  const WaitFamily own = wait ? wait->family : wait_family(part);
  return own == WaitFamily::kNone ? wait_family(whole) : own;
}

std::vector<MetricId> wait_metrics(const ReportStructure& structure) {
  std::vector<bool> is_inside(structure.metrics.size());
  std::vector<MetricId> found;
  for (std::size_t i = 0; i < structure.metrics.size(); ++i) {
    const ReportMetric& metric = structure.metrics[i];
    const bool parent_waits = metric.parent.is_valid() && is_inside[metric.parent.value];
    const WaitFamily family = wait_family(metric.unique_name);
    const bool waits = family != WaitFamily::kNone && family != WaitFamily::kHost;
    is_inside[i] = parent_waits || waits;
    if (waits && !parent_waits && metric.unit == "sec") found.push_back(MetricId(i));
  }
  return found;
}

std::vector<MetricId> parts_of(const ReportStructure& structure, MetricId metric) {
  std::vector<bool> is_inside(structure.metrics.size());
  std::vector<MetricId> parts;
  is_inside[metric.value] = true;
  for (std::size_t i = metric.value + 1; i < structure.metrics.size(); ++i) {
    const MetricId parent = structure.metrics[i].parent;
    is_inside[i] = parent.is_valid() && is_inside[parent.value];
    if (is_inside[i]) parts.push_back(MetricId(i));
  }
  return parts;
}

}  // namespace tarry
