// imbalance_cube.cpp -- computational imbalance, computed from a summary.
#include "report/algebra/imbalance_cube.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

ThreadBalance balance_of(const ReportStructure& structure, const std::vector<PathTeam>& teams) {
  const std::vector<std::uint32_t> masters = master_threads(structure);
  std::vector<BalancedThread> threads;
  for (std::uint32_t location = 0; location < masters.size(); ++location)
    threads.push_back({.is_first = masters[location] == location});
  const bool has_regions = std::ranges::any_of(teams, [](PathTeam team) { return team != PathTeam::kSerial; });
  return {std::move(threads), uses_openmp(structure), has_regions};
}

}  // namespace

ImbalanceCube::ImbalanceCube(const CubeSource& source)
    : CubeOver(source),
      parts_(structure_.metrics.size(), nullptr),
      computation_(find_metric(structure_, "comp")),
      blocked_(find_metric(structure_, "blocked")),
      visits_(find_metric(structure_, "visits")),
      teams_(path_teams(structure_)),
      balance_(balance_of(structure_, teams_)),
      values_(source) {
  const std::pair<std::string_view, Part> parts[] = {
      {"imbalance", &Imbalance::total},
      {"imbalance_above", &Imbalance::above},
      {"imbalance_above_single", &Imbalance::above_single},
      {"imbalance_below", &Imbalance::below},
      {"imbalance_below_bypass", &Imbalance::below_bypass},
      {"imbalance_below_singularity", &Imbalance::below_singularity},
  };
  for (const auto& [name, part] : parts) {
    const MetricId metric = find_metric(structure_, name);
    if (!metric.is_valid() || !computation_.is_valid() || !visits_.is_valid()) continue;
    parts_[metric.value] = part;
    structure_.metrics[metric.value].kind = MetricKind::kExclusive;
  }
}

bool ImbalanceCube::has_row(MetricId metric, CallPathId path) const {
  if (!part_of(metric)) return source_.has_row(metric, path);
  return balance_.has_others() && read_times(path);
}

bool ImbalanceCube::read_times(CallPathId path) const {
  const bool has_computation = values_.row(computation_, path, Flavour::kExclusive, times_);
  if (!blocked_.is_valid() || !values_.row(blocked_, path, Flavour::kExclusive, blocked_times_)) return has_computation;
  for (std::size_t location = 0; location < times_.size(); ++location) times_[location] += blocked_times_[location];
  return true;
}

void ImbalanceCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const Part part = part_of(metric);
  if (!part) return source_.read_row(metric, path, row);
  std::fill(row.begin(), row.end(), 0);
  if (!has_row(metric, path)) return;  // reads the times
  values_.row(visits_, path, Flavour::kExclusive, visited_);
  balance_.compare(teams_[path.value] != PathTeam::kSerial, times_, visited_,
                   [&](std::size_t location, const Imbalance& own) { row[location] = own.*part; });
}

const std::vector<std::string>& ImbalanceCube::damage() const {
  damage_ = values_.damage();
  return damage_;
}

}  // namespace tarry
