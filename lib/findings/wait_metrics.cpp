// wait_metrics.cpp -- which metrics of a report are time spent waiting.
#include "findings/wait_metrics.hpp"

namespace tarry {
namespace {

struct NamedKind {
  std::string_view name;
  WaitFamily kind;
};

constexpr NamedKind kNamed[] = {
    {"mpi_latesender", WaitFamily::kSender},       {"mpi_latereceiver", WaitFamily::kReceiver},
    {"mpi_latebroadcast", WaitFamily::kRoot},      {"mpi_earlyreduce", WaitFamily::kEveryone},
    {"mpi_earlyscan", WaitFamily::kEveryone},      {"mpi_wait_nxn", WaitFamily::kEveryone},
    {"mpi_neighbor_wait", WaitFamily::kNeighbors}, {"mpi_rma_early_wait", WaitFamily::kPeer},
    {"mpi_rma_sync_late_post", WaitFamily::kPeer}, {"mpi_rma_comm_late_post", WaitFamily::kPeer},
    {"omp_ebarrier_wait", WaitFamily::kTeam},      {"omp_ibarrier_wait", WaitFamily::kTeam},
};

}  // namespace

WaitFamily wait_kind(std::string_view name) {
  for (const NamedKind& known : kNamed)
    if (name == known.name) return known.kind;
  if (name.find("lock_contention") != name.npos || name.ends_with("_lock_competition")) return WaitFamily::kLock;
  if (name.starts_with("mpi_rma_wait_at_")) return WaitFamily::kEveryone;
  if (name.ends_with("_wait_for_progress")) return WaitFamily::kPeer;
  if (name.starts_with("mpi_") && name.ends_with("_wait")) return WaitFamily::kEveryone;
  if (name.starts_with("omp_") && name.ends_with("_wait")) return WaitFamily::kTeam;
  return WaitFamily::kNone;
}

WaitFamily part_kind(std::string_view part, std::string_view whole) {
  if (part.starts_with("mpi_latesender_wo") || part.starts_with("mpi_lswo_")) return WaitFamily::kOvertaken;
  const WaitFamily own = wait_kind(part);
  return own == WaitFamily::kNone ? wait_kind(whole) : own;
}

std::vector<MetricId> wait_metrics(const ReportStructure& structure) {
  std::vector<bool> is_inside(structure.metrics.size());
  std::vector<MetricId> found;
  for (std::size_t i = 0; i < structure.metrics.size(); ++i) {
    const ReportMetric& metric = structure.metrics[i];
    const bool parent_waits = metric.parent.is_valid() && is_inside[metric.parent.value];
    const bool waits = wait_kind(metric.unique_name) != WaitFamily::kNone;
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
