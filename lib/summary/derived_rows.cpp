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

// By location: the number of its world; one number for all where there are not several.
std::vector<std::uint32_t> worlds_of(const Definitions& definitions) {
  std::vector<std::uint32_t> numbers(definitions.locations.size(), 0);
  const std::vector<MpiWorld> worlds = mpi_worlds(definitions);
  if (worlds.size() < 2) return numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t rank = definitions.processes[definitions.locations[i].process.value].rank;
    const auto found = std::ranges::find_if(worlds, [rank](const MpiWorld& world) { return world.contains(rank); });
    numbers[i] = static_cast<std::uint32_t>(found - worlds.begin());
  }
  return numbers;
}

}  // namespace

DerivedRows::DerivedRows(const Definitions& definitions, const ReportStructure& structure,
                         const std::vector<bool>& has_regions)
    : teams_(path_teams(structure)),
      masters_(master_threads(structure)),
      worlds_(worlds_of(definitions)),
      uses_openmp_(tarry::uses_openmp(structure)) {
  const bool has_parallel_paths =
      uses_openmp_ && std::ranges::any_of(teams_, [](PathTeam team) { return team != PathTeam::kSerial; });
  std::vector<std::size_t> participants;
  for (std::uint32_t location = 0; location < masters_.size(); ++location) {
    const bool is_master = masters_[location] == location;
    is_worker_.push_back(!is_master && has_regions[structure.locations[location].process]);
    has_workers_ = has_workers_ || is_worker_.back();
    participants.resize(std::max<std::size_t>(participants.size(), worlds_[location] + 1u));
    participants[worlds_[location]] += is_master || has_parallel_paths;
  }
  for (const std::size_t count : participants) is_alone_.push_back(count < 2);
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
  const bool is_compared = !std::ranges::all_of(is_alone_, std::identity());
  for (std::uint32_t path = 0; path < teams_.size(); ++path) {
    if (is_compared && (rows.has(kComputation, path) || rows.has(kBlocked, path)))
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

bool DerivedRows::takes_part(CallPathId path, std::uint32_t location) const {
  return masters_[location] == location || (uses_openmp_ && teams_[path.value] != PathTeam::kSerial);
}

void DerivedRows::add_imbalance(double Imbalance::*part, CallPathId path, const CountedRow& counted,
                                std::span<double> row) const {
  const std::span<const double> computation = counted(kComputation), blocked = counted(kBlocked),
                                visits = counted(kVisits);
  std::vector<double> times(computation.begin(), computation.end());
  for (std::size_t location = 0; location < times.size(); ++location) times[location] += blocked[location];
  std::vector<PathBalance> balances(is_alone_.size());
  for (std::uint32_t location = 0; location < row.size(); ++location) {
    if (!takes_part(path, location)) continue;
    PathBalance& all = balances[worlds_[location]];
    all.time += times[location];
    ++all.participants;
    all.visitors += visits[location] > 0;
  }
  const bool counts_missing = !uses_openmp_ || teams_[path.value] != PathTeam::kSerial;
  for (std::uint32_t location = 0; location < row.size(); ++location)
    if (takes_part(path, location) && !is_alone_[worlds_[location]])
      row[location] =
          imbalance_of(balances[worlds_[location]], counts_missing, times[location], visits[location] > 0).*part;
}

}  // namespace tarry
