// performance_impact.cpp -- what the critical path says about each call path.
//
// g(c): time of call path c on the critical path, over all locations; l(c): a location's own time in c without waits.
//   activities:      min(g, l): work that everybody does as long as the path does it
//   imbalance:       where g > l, a location waits while the path works; its whole waiting time is shared out over
//                    those call paths, and booked where the path runs
//   inter-partition: the part of it on call paths that the waiting location does not have at all
//   non-critical:    l above g
// Source: docs/METRICS.md, "Performance impact"; Boehme, section 5.2.
#include "performance_impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "location_sums.hpp"

namespace tarry {
namespace {

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

// Shares a location's waiting time out in proportion to `weights`, of which `whole` is the sum; 0/0 if there is nothing
// to share it over.
void share_out(const std::vector<double>& weights, double whole, double waiting, bool empties,
               std::vector<double>& into) {
  if (whole == 0 && !empties) return;
  for (std::size_t c = 0; c < weights.size(); ++c) into[c] += weights[c] * waiting / whole;
}

// Time that the average location has without waiting, against the time on the path.
constexpr Metric kNotWork[] = {
    Metric::kFinalizeWait, Metric::kCommCreationWait, Metric::kFileCreationWait, Metric::kBarrierWait,
    Metric::kLateSender, Metric::kLateReceiver, Metric::kCollectiveRequestWait, Metric::kEarlyReduce,
    Metric::kEarlyScan, Metric::kLateBroadcast, Metric::kNeighborWait, Metric::kNxnWait, Metric::kRmaWaitAtCreate,
    Metric::kRmaWaitAtFree, Metric::kRmaSyncLatePost, Metric::kRmaCommLatePost, Metric::kRmaEarlyWait,
    Metric::kRmaWaitAtFence, Metric::kRmaSyncLockContention, Metric::kRmaCommLockContention, Metric::kRmaSyncProgress,
    Metric::kRmaCommProgress, Metric::kOmpManagement,
    Metric::kOmpExplicitBarrierWait, Metric::kOmpImplicitBarrierWait, Metric::kOmpLockContentionCritical,
    Metric::kOmpLockContentionApi, Metric::kOmpOrdered, Metric::kIdleThreads};

// Known as waits only where locks of threads have costs.
constexpr Metric kWaitsForThreads[] = {Metric::kPthreadLockContentionMutex, Metric::kPthreadLockContentionCondition,
                                       Metric::kPthreadLockContentionRwlock};

// What a value of each metric adds to the working time.
std::array<double, kMetricCount> work_weights(const Quirks& quirks) {
  std::array<double, kMetricCount> weights{};
  weights[static_cast<std::size_t>(Metric::kTime)] = 1;
  for (const Metric metric : kNotWork) weights[static_cast<std::size_t>(metric)] = -1;
  if (!quirks.thread_locks_cost_nothing)
    for (const Metric metric : kWaitsForThreads) weights[static_cast<std::size_t>(metric)] = -1;
  return weights;
}

// Sums over all locations.
struct PathWork {
  std::vector<double> path, work;  // time on the critical path, time without waiting
  std::vector<double> takes_part;  // locations that have visited the call path or a child
  double locations = 0;

  void operator+=(const PathWork& other) {
    add_up(path, other.path);
    add_up(work, other.work);
    add_up(takes_part, other.takes_part);
    locations += other.locations;
  }
};

PathWork sum_work(const AllLocations& locations, const CallTree& tree, const Quirks& quirks) {
  const std::array<double, kMetricCount> weights = work_weights(quirks);
  const std::vector<double> none(tree.size());
  return locations.sum(PathWork{none, none, none}, [&](const RankResult& result, std::size_t t, PathWork& sums) {
    ++sums.locations;
    std::vector<double> visits(tree.size());
    for (const MetricValue& value : result.values[t]) {
      sums.work[value.path] += weights[value.metric] * value.value;
      if (value.metric == static_cast<std::uint32_t>(Metric::kCriticalPath)) sums.path[value.path] += value.value;
      if (value.metric == static_cast<std::uint32_t>(Metric::kVisits)) visits[value.path] += value.value;
    }
    make_inclusive(visits, tree);
    for (std::size_t c = 0; c < tree.size(); ++c) sums.takes_part[c] += visits[c] > 0;
  });
}

class Impact {
 public:
  // `total_path`: g, per call path.
  Impact(const AllLocations& locations, const std::vector<double>& total_path, const Quirks& quirks)
      : locations_(locations),
        paths_(total_path.size()),
        quirks_(quirks),
        total_path_(total_path),
        length_(sum(total_path)) {}

  void run() {
    const Costs zero{std::vector<double>(paths_), std::vector<double>(paths_)};
    const Costs costs =
        locations_.sum(zero, [&](RankResult& result, std::size_t t, Costs& sums) { judge(result, t, sums); });
    locations_.for_each([&](RankResult& result, std::size_t t) { distribute(result, t, costs); });
  }

 private:
  struct Costs {
    std::vector<double> imbalance, inter;
    void operator+=(const Costs& other) {
      add_up(imbalance, other.imbalance);
      add_up(inter, other.inter);
    }
  };

  static void put(RankResult& result, std::size_t t, Metric metric, std::size_t path, double value) {
    if (value != 0) result.derived[t].push_back({static_cast<std::uint32_t>(metric), static_cast<PathIndex>(path), value});
  }

  void judge(RankResult& result, std::size_t t, Costs& costs) const {
    std::vector<double> local(paths_, 0);
    for (const MetricValue& value : result.activities[t]) local[value.path] += value.value;
    std::vector<double> shortage(paths_, 0), absent(paths_, 0);
    double covered = 0;
    for (std::size_t c = 0; c < paths_; ++c) {
      const double critical = total_path_[c];
      if (critical > 0) put(result, t, Metric::kCriticalPathActivities, c, std::min(critical, local[c]));
      put(result, t, Metric::kNonCriticalPathActivities, c, std::max(0.0, local[c] - critical));
      shortage[c] = std::max(0.0, critical - local[c]);
      if (local[c] > 0)
        covered += std::max(local[c], critical);
      else
        absent[c] = quirks_.scales_inter_partition_apart ? critical : shortage[c];
    }
    const double waiting = length_ - sum(local), lacking = sum(shortage);
    share_out(shortage, lacking, waiting, quirks_.empties_on_zero_division, costs.imbalance);
    if (quirks_.scales_inter_partition_apart)
      share_out(absent, sum(absent), length_ - covered, quirks_.empties_on_zero_division, costs.inter);
    else
      share_out(absent, lacking, waiting, false, costs.inter);
  }

  // Costs land on the locations that own the critical-path time of the call path.
  void distribute(RankResult& result, std::size_t t, const Costs& costs) const {
    const std::vector<double> path = dense_values(result.values[t], Metric::kCriticalPath, paths_);
    for (std::size_t c = 0; c < paths_; ++c) {
      if (path[c] == 0) continue;
      const double share = path[c] / total_path_[c];
      if (const double cost = share * costs.imbalance[c]; cost > 0) put(result, t, Metric::kImbalanceImpact, c, cost);
      if (const double cost = share * costs.inter[c]; cost > 0) put(result, t, Metric::kInterPartitionImbalance, c, cost);
    }
  }

  const AllLocations& locations_;
  const std::size_t paths_;
  const Quirks& quirks_;
  const std::vector<double>& total_path_;
  const double length_;
};

// `all`: inclusive along the call tree.
void critical_path_imbalance(const AllLocations& locations, const CallTree& tree, const PathWork& all, const Quirks& quirks) {
  locations.for_each([&](RankResult& result, std::size_t t) {
    const std::vector<double> own = dense_values(result.values[t], Metric::kCriticalPath, tree.size());
    std::vector<double> inclusive = own;
    make_inclusive(inclusive, tree);
    for (std::size_t c = 0; c < tree.size(); ++c) {
      if (inclusive[c] <= 0 || all.path[c] == 0) continue;
      const double average = all.work[c] / (quirks.averages_over_all ? all.locations : std::max(1.0, all.takes_part[c]));
      const double value = std::max(0.0, (all.path[c] - average) / all.path[c]) * own[c];
      if (value != 0)
        result.derived[t].push_back({static_cast<std::uint32_t>(Metric::kCriticalPathImbalance), static_cast<PathIndex>(c), value});
    }
  });
}

}  // namespace

std::span<const MetricValue> values_of(const MetricValues& values, Metric metric) {
  const auto [begin, end] = std::ranges::equal_range(values, static_cast<std::uint32_t>(metric), {}, &MetricValue::metric);
  return {begin, end};
}

std::vector<double> dense_values(const MetricValues& values, Metric metric, std::size_t paths) {
  std::vector<double> dense(paths, 0);
  for (const MetricValue& value : values_of(values, metric)) dense[value.path] += value.value;
  return dense;
}

void make_inclusive(std::vector<double>& values, const CallTree& tree) {
  for (std::size_t c = values.size(); c-- > 0;)
    if (const PathIndex parent = tree[static_cast<PathIndex>(c)].parent; parent != kNoPath) values[parent] += values[c];
}

void performance_impact(std::vector<RankResult>& results, const CallTree& tree, const Quirks& quirks, unsigned workers) {
  const AllLocations locations(results, workers);
  PathWork all = sum_work(locations, tree, quirks);
  Impact(locations, all.path, quirks).run();
  make_inclusive(all.path, tree);
  make_inclusive(all.work, tree);
  critical_path_imbalance(locations, tree, all, quirks);
}

}  // namespace tarry
