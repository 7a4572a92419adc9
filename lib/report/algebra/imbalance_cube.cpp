// imbalance_cube.cpp -- computational imbalance, computed from a summary.
#include "report/algebra/imbalance_cube.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/tree/metric_tree.hpp"

namespace tarry {

ImbalanceCube::ImbalanceCube(const CubeSource& source)
    : CubeOver(source),
      parts_(structure_.metrics.size(), nullptr),
      computation_(find_metric(structure_, "comp")),
      blocked_(find_metric(structure_, "blocked")),
      visits_(find_metric(structure_, "visits")),
      teams_(path_teams(structure_)),
      masters_(master_threads(structure_)),
      uses_openmp_(tarry::uses_openmp(structure_)),
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
  const bool has_regions = uses_openmp_ && std::any_of(teams_.begin(), teams_.end(),
                                                       [](PathTeam team) { return team != PathTeam::kSerial; });
  is_alone_ = (has_regions ? structure_.locations.size() : structure_.processes.size()) < 2;
}

bool ImbalanceCube::has_row(MetricId metric, CallPathId path) const {
  if (!part_of(metric)) return source_.has_row(metric, path);
  return !is_alone_ && read_times(path);
}

bool ImbalanceCube::read_times(CallPathId path) const {
  const bool has_computation = values_.row(computation_, path, Flavour::kExclusive, times_);
  if (!blocked_.is_valid() || !values_.row(blocked_, path, Flavour::kExclusive, blocked_times_)) return has_computation;
  for (std::size_t location = 0; location < times_.size(); ++location) times_[location] += blocked_times_[location];
  return true;
}

bool ImbalanceCube::takes_part(CallPathId path, std::uint32_t location) const {
  return masters_[location] == location || (uses_openmp_ && teams_[path.value] != PathTeam::kSerial);
}

PathBalance ImbalanceCube::balance_of(CallPathId path) const {
  PathBalance all;
  for (std::uint32_t location = 0; location < times_.size(); ++location) {
    if (!takes_part(path, location)) continue;
    all.time += times_[location];
    ++all.participants;
    all.visitors += visited_[location] > 0;
  }
  return all;
}

void ImbalanceCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const Part part = part_of(metric);
  if (!part) return source_.read_row(metric, path, row);
  std::fill(row.begin(), row.end(), 0);
  if (!has_row(metric, path)) return;  // reads the times
  values_.row(visits_, path, Flavour::kExclusive, visited_);
  const PathBalance all = balance_of(path);
  const bool counts_missing = !uses_openmp_ || teams_[path.value] != PathTeam::kSerial;
  for (std::uint32_t location = 0; location < row.size(); ++location)
    if (takes_part(path, location))
      row[location] = imbalance_of(all, counts_missing, times_[location], visited_[location] > 0).*part;
}

const std::vector<std::string>& ImbalanceCube::damage() const {
  damage_ = values_.damage();
  return damage_;
}

}  // namespace tarry
