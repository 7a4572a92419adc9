// region_imbalance.cpp -- sums up the time of each region by process, and judges how it is distributed.
#include "findings/imbalance/region_imbalance.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "findings/causes/outside_causes.hpp"
#include "findings/imbalance/process_values.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostRegions = 200;         // that are judged
constexpr std::size_t kMostPartners = 12;         // regions whose pairs are looked at
constexpr std::size_t kFewestOfPairs = 4;         // processes
constexpr double kPairCorrelation = 0.5;          // of pairs, above or below
constexpr double kCancelled = 0.6, kAdded = 0.9;  // parts of the sum that is left
constexpr double kHiddenSum = 1.25;               // call paths together, in units of their region: they hide each other
constexpr double kSynchronised = 0.25;            // delay costs of the sum: processes wait in between

bool is_judged(TimeClass kind) {
  return kind == TimeClass::kComputation || kind == TimeClass::kOwnFileIo || kind == TimeClass::kFileIo;
}

// A region with its time by process.
struct RegionTimes {
  std::uint32_t region = 0;
  TimeClass time_class = TimeClass::kComputation;
  std::vector<CallPathId> paths;
  bool is_of_path = false;
  ProcessValues seconds;

  std::size_t worst() const {
    return static_cast<std::size_t>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
  }
  Seconds excess() const { return seconds[worst()] - mean_of(seconds); }
  Seconds impact() const { return excess() * static_cast<double>(seconds.size()); }
};

struct AllTimes {
  std::vector<RegionTimes> regions;
  ProcessValues computation, file_io;
  ProcessValues excess;  // of the processes above the average, over all regions of computation
};

void add_to(const ProcessValues& values, ProcessValues& sums) {
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
}

AllTimes times_of(const Report& report) {
  const ReportStructure& structure = report.structure;
  const MetricId time = report.find_metric("time"), idle = report.find_metric("omp_idle_threads");
  const std::size_t processes = structure.processes.size();
  AllTimes all{{}, ProcessValues(processes), ProcessValues(processes), ProcessValues(processes)};
  std::map<std::uint32_t, std::size_t> known;
  for (std::size_t path = 0; path < structure.call_paths.size(); ++path) {
    const std::uint32_t region = structure.call_paths[path].region;
    const TimeClass kind = time_class(structure.regions[region]);
    if (!is_judged(kind)) continue;
    ProcessValues own(processes);
    if (!add_row(report, time, CallPathId(path), own)) continue;
    add_row(report, idle, CallPathId(path), own, -1);
    const auto [place, is_new] = known.try_emplace(region, all.regions.size());
    if (is_new) all.regions.push_back({region, kind, {}, false, ProcessValues(processes)});
    all.regions[place->second].paths.push_back(CallPathId(path));
    add_to(own, all.regions[place->second].seconds);
    add_to(own, kind == TimeClass::kComputation ? all.computation : all.file_io);
  }
  return all;
}

// The call paths of a region, each by itself.
std::vector<RegionTimes> split(const Report& report, const RegionTimes& region) {
  const MetricId time = report.find_metric("time"), idle = report.find_metric("omp_idle_threads");
  std::vector<RegionTimes> parts;
  for (const CallPathId path : region.paths) {
    parts.push_back({region.region, region.time_class, {path}, true, ProcessValues(region.seconds.size())});
    add_row(report, time, path, parts.back().seconds);
    add_row(report, idle, path, parts.back().seconds, -1);
  }
  return parts;
}

bool has_kind(const RegionTimes& times) {
  const ImbalanceShape shape = imbalance_kind(times.seconds).shape;
  return shape != ImbalanceShape::kBalanced && shape != ImbalanceShape::kUnclear;
}

// A helper function may be unbalanced one way in one place, and another way in another.
bool hide_each_other(const std::vector<RegionTimes>& parts, const RegionTimes& region) {
  Seconds apart = 0;
  for (const RegionTimes& part : parts) apart += part.impact();
  return apart > kHiddenSum * region.impact() && std::ranges::any_of(parts, has_kind);
}

void add_excesses(AllTimes& all) {
  for (const RegionTimes& times : all.regions) {
    if (times.time_class != TimeClass::kComputation) continue;
    const double mean = mean_of(times.seconds);
    for (std::size_t i = 0; i < times.seconds.size(); ++i) all.excess[i] += std::max(times.seconds[i] - mean, 0.0);
  }
}

void split_regions(const Report& report, Seconds least, AllTimes& all) {
  std::vector<RegionTimes> regions;
  for (RegionTimes& region : all.regions) {
    std::vector<RegionTimes> parts;
    if (region.paths.size() > 1) parts = split(report, region);
    std::erase_if(parts, [&](const RegionTimes& part) { return part.impact() < least; });
    if (!parts.empty() && hide_each_other(parts, region)) std::ranges::move(parts, std::back_inserter(regions));
    else regions.push_back(std::move(region));
  }
  all.regions = std::move(regions);
}

Seconds time_at(const Report& report, CallPathId path, std::size_t process) {
  ProcessValues own(report.structure.processes.size());
  add_row(report, report.find_metric("time"), path, own);
  return own[process];
}

// Where a process spends most of the region's time.
CallPathId main_path(const Report& report, const RegionTimes& times) {
  CallPathId best = times.paths.front();
  Seconds most = -1;
  for (const CallPathId path : times.paths)
    if (const Seconds own = time_at(report, path, times.worst()); own > most) {
      most = own;
      best = path;
    }
  return best;
}

std::optional<Seconds> cost_of_paths(const Report& report, const std::vector<CallPathId>& paths) {
  const MetricId delay = report.find_metric("delay");
  if (!delay.is_valid()) return std::nullopt;
  ProcessValues costs(report.structure.processes.size());
  for (const CallPathId path : paths) add_row(report, delay, path, costs);
  return mean_of(costs) * static_cast<double>(costs.size());
}

std::vector<ReportRank> ranks_of(const Report& report, const std::vector<std::size_t>& processes) {
  std::vector<ReportRank> ranks;
  for (const std::size_t process : processes) ranks.push_back(ReportRank(report.structure.processes[process].rank));
  std::ranges::sort(ranks);
  return ranks;
}

RegionImbalance describe(const Report& report, const RegionTimes& times) {
  RegionImbalance found;
  found.region = times.region;
  found.time_class = times.time_class;
  found.is_of_path = times.is_of_path;
  found.seconds = mean_of(times.seconds) * static_cast<double>(times.seconds.size());
  found.visitors =
      static_cast<std::size_t>(std::ranges::count_if(times.seconds, [](double seconds) { return seconds > 0; }));
  found.worst = ReportRank(report.structure.processes[times.worst()].rank);
  found.kind = imbalance_kind(times.seconds);
  found.minority = ranks_of(report, found.kind.minority);
  found.highest = ranks_of(report, found.kind.highest);
  found.excess = times.excess();
  found.impact = times.impact();
  return found;
}

RegionImbalance judge_region(const Report& report, const ProcessorLoad& load, const AllTimes& all,
                             const RegionTimes& times) {
  RegionImbalance found = describe(report, times);
  found.call_path = main_path(report, times);
  found.cost = cost_of_paths(report, times.paths);
  found.causes =
      find_outside_causes(report, load, times.time_class, times.paths, {times.seconds, all.excess, all.file_io});
  return found;
}

Seconds impact_together(const RegionTimes& first, const RegionTimes& second) {
  RegionTimes sum = first;
  add_to(second.seconds, sum.seconds);
  return sum.impact();
}

// Nothing if the two have little to do with each other.
std::optional<ImbalancePair> compare(const RegionTimes& first, const RegionTimes& second) {
  ImbalancePair pair;
  pair.correlation = correlation(first.seconds, second.seconds);
  pair.apart = first.impact() + second.impact();
  pair.together = impact_together(first, second);
  if (pair.correlation <= -kPairCorrelation && pair.together <= kCancelled * pair.apart) {
    pair.kind = Interference::kCancelling;
    return pair;
  }
  if (pair.correlation < kPairCorrelation || pair.together < kAdded * pair.apart) return std::nullopt;
  pair.kind = Interference::kAggravating;
  return pair;
}

// Two or three processes are overloaded, or not, in any two regions.
void find_pairs(const std::vector<const RegionTimes*>& largest, Imbalances& found) {
  if (!largest.empty() && largest.front()->seconds.size() < kFewestOfPairs) return;
  for (std::size_t second = 1; second < std::min(largest.size(), kMostPartners); ++second)
    for (std::size_t first = 0; first < second; ++first) {
      auto pair = compare(*largest[first], *largest[second]);
      if (!pair) continue;
      pair->first = first;
      pair->second = second;
      const RegionImbalance &one = found.regions[first], &other = found.regions[second];
      if (one.cost && other.cost) pair->cost = *one.cost + *other.cost;
      pair->is_synchronised =
          pair->kind == Interference::kCancelling && pair->cost.value_or(0) >= kSynchronised * pair->apart;
      found.pairs.push_back(*pair);
    }
  std::ranges::stable_sort(found.pairs, [](auto& a, auto& b) { return a.apart > b.apart; });
}

}  // namespace

Imbalances find_imbalances(const Report& report, const ProcessorLoad& load, double least) {
  Imbalances found;
  if (report.structure.processes.size() < 2 || !report.find_metric("time").is_valid()) return found;
  const Seconds least_impact = least * time_shares(report).total;
  AllTimes all = times_of(report);
  split_regions(report, least_impact, all);
  add_excesses(all);
  std::vector<const RegionTimes*> largest;
  for (const RegionTimes& times : all.regions)
    if (times.impact() > 0 && times.impact() >= least_impact) largest.push_back(&times);
  std::ranges::stable_sort(largest, [](auto* a, auto* b) { return a->impact() > b->impact(); });
  if (largest.size() > kMostRegions) largest.resize(kMostRegions);
  for (const RegionTimes* times : largest) found.regions.push_back(judge_region(report, load, all, *times));
  find_pairs(largest, found);
  const RegionTimes computation{0, TimeClass::kComputation, {}, false, all.computation};
  if (mean_of(computation.seconds) > 0) found.all = describe(report, computation);
  return found;
}

}  // namespace tarry
