// derived_rows.cpp -- rows of a summary that compare threads.
#include "summary/derived_rows.hpp"

#include <algorithm>
#include <utility>

#include "defs/mpi_worlds.hpp"

namespace tarry {
namespace {

constexpr SummaryMetric kTime = number_of(Metric::kTime), kIdle = number_of(Metric::kIdleThreads),
                        kLimited = number_of(Metric::kLimitedParallelism),
                        kComputation = number_of(Metric::kComputation), kBlocked = number_of(Metric::kBlocked),
                        kVisits = number_of(Metric::kVisits);

constexpr std::pair<SummaryMetric, double Imbalance::*> kImbalanceParts[] = {
    {number_of(Metric::kImbalance), &Imbalance::total},
    {number_of(Metric::kImbalanceAbove), &Imbalance::above},
    {number_of(Metric::kImbalanceAboveSingle), &Imbalance::above_single},
    {number_of(Metric::kImbalanceBelow), &Imbalance::below},
    {number_of(Metric::kImbalanceBelowBypass), &Imbalance::below_bypass},
    {number_of(Metric::kImbalanceSingularity), &Imbalance::below_singularity},
};

// The part of the imbalance that a metric tells; nullptr for other metrics.
double Imbalance::*imbalance_part(SummaryMetric metric) {
  for (const auto& [of_part, part] : kImbalanceParts)
    if (of_part == metric) return part;
  return nullptr;
}

// By location: whether its thread is the first of its process, and the number of its world.
std::vector<BalancedThread> balanced_threads(const Definitions& definitions, const ReportStructure& structure,
                                             const std::vector<std::uint32_t>& masters) {
  const std::vector<MpiWorld> worlds = mpi_worlds(definitions);
  std::vector<BalancedThread> threads;
  for (std::uint32_t location = 0; location < masters.size(); ++location) {
    const std::uint32_t rank = definitions.processes[structure.locations[location].process].rank;
    const auto found = std::ranges::find_if(worlds, [rank](const MpiWorld& world) { return world.contains(rank); });
    const auto number = static_cast<std::uint32_t>(found - worlds.begin());
    threads.push_back({.is_first = masters[location] == location,
                       .is_thread = structure.locations[location].is_thread(),
                       .world = worlds.size() < 2 ? 0 : number});
  }
  return threads;
}

}  // namespace

DerivedRows::DerivedRows(const Definitions& definitions, const ReportStructure& structure,
                         const std::vector<bool>& has_regions)
    : teams_(path_teams(structure)), masters_(master_threads(structure)) {
  const bool uses_openmp = tarry::uses_openmp(structure);
  const bool has_parallel_paths = std::ranges::any_of(teams_, [](PathTeam team) { return team != PathTeam::kSerial; });
  balance_ = ThreadBalance(balanced_threads(definitions, structure, masters_), uses_openmp, has_parallel_paths);
  for (std::uint32_t location = 0; location < masters_.size(); ++location)
    is_worker_.push_back(masters_[location] != location && has_regions[structure.locations[location].process]);
  has_workers_ = std::ranges::find(is_worker_, true) != is_worker_.end();
}

RowParts DerivedRows::parts_of(SummaryMetric metric, CallPathId path) const {
  const bool is_region = teams_[path.value] == PathTeam::kRegion;
  if (imbalance_part(metric)) return {{kComputation, kBlocked, kVisits}, 3};
  if (metric == kIdle) return {{is_region ? kFullTime : kTime}, 1};
  if (metric == kLimited) return {{kFullTime}, 1};
  if (metric == kTime && has_workers_ && is_region) return {{kTime, kFullTime}, 2};
  return {{metric}, 1};
}

void DerivedRows::add_rows(RowTable& rows) const {
  for (std::uint32_t path = 0; path < teams_.size(); ++path) {
    if (balance_.has_others() && (rows.has(kComputation, path) || rows.has(kBlocked, path)))
      for (const auto& [metric, part] : kImbalanceParts) rows.add(metric, path);
    if (has_workers_) add_rows_of_idle(path, rows);
  }
}

void DerivedRows::add_rows_of_idle(std::uint32_t path, RowTable& rows) const {
  const PathTeam team = teams_[path];
  if (team == PathTeam::kSerial && rows.has(kTime, path)) rows.add(kIdle, path);
  if (team != PathTeam::kRegion || !rows.has(kFullTime, path)) return;
  for (const SummaryMetric metric : {kTime, kIdle, kLimited}) rows.add(metric, path);
}

void DerivedRows::make_row(SummaryMetric metric, CallPathId path, const CountedRow& counted,
                           std::span<double> row) const {
  if (double Imbalance::*const part = imbalance_part(metric)) return add_imbalance(part, path, counted, row);
  if (metric != kIdle && metric != kLimited) std::ranges::copy(counted(metric), row.begin());
  if (has_workers_ && (metric == kTime || metric == kIdle || metric == kLimited))
    add_idle(path, counted, metric == kLimited, row);
}

// A worker is idle while the first thread runs outside parallel regions, and as long as it misses of such a region.
void DerivedRows::add_idle(CallPathId path, const CountedRow& counted, bool is_limited_only,
                           std::span<double> row) const {
  const PathTeam team = teams_[path.value];
  if (team == PathTeam::kParallel || (is_limited_only && team == PathTeam::kSerial)) return;
  const std::span<const double> times = counted(team == PathTeam::kRegion ? kFullTime : kTime);
  for (std::uint32_t location = 0; location < row.size(); ++location) {
    if (!is_worker_[location]) continue;
    const double of_master = times[masters_[location]];
    row[location] += team == PathTeam::kRegion ? std::max(0.0, of_master - times[location]) : of_master;
  }
}

void DerivedRows::add_imbalance(double Imbalance::*part, CallPathId path, const CountedRow& counted,
                                std::span<double> row) const {
  const std::span<const double> computation = counted(kComputation), blocked = counted(kBlocked),
                                visits = counted(kVisits);
  std::vector<double> times(computation.begin(), computation.end());
  for (std::size_t location = 0; location < times.size(); ++location) times[location] += blocked[location];
  balance_.compare(teams_[path.value] != PathTeam::kSerial, times, visits,
                   [&](std::size_t location, const Imbalance& own) { row[location] = own.*part; });
}

}  // namespace tarry
