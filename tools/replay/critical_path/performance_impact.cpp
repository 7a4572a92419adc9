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

namespace tarry {
namespace {

struct LocationTimes {
  std::vector<double> path;   // critical path, per call path
  std::vector<double> local;  // own time without waits
};

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

class Impact {
 public:
  Impact(std::vector<RankResult>& results, const CallTree& tree, const Quirks& quirks)
      : results_(results), paths_(tree.size()), quirks_(quirks), total_path_(paths_, 0), imbalance_(paths_, 0), inter_(paths_, 0) {}

  void run() {
    for_each_location([&](RankResult& result, std::size_t t) {
      const std::vector<double> path = dense_values(result, t, Metric::kCriticalPath, paths_);
      for (std::size_t c = 0; c < paths_; ++c) total_path_[c] += path[c];
    });
    length_ = sum(total_path_);
    for_each_location([&](RankResult& result, std::size_t t) { judge(result, t); });
    for_each_location([&](RankResult& result, std::size_t t) { distribute(result, t); });
  }

 private:
  template <class Visit>
  void for_each_location(Visit visit) {
    for (RankResult& result : results_)
      for (std::size_t t = 0; t < result.values.size(); ++t) visit(result, t);
  }

  static void put(RankResult& result, std::size_t t, Metric metric, std::size_t path, double value) {
    if (value != 0) result.values[t].push_back({static_cast<std::uint32_t>(metric), static_cast<PathIndex>(path), value});
  }

  void judge(RankResult& result, std::size_t t) {
    std::vector<double> local(paths_, 0);
    for (const RankResult::Value& value : result.activities[t]) local[value.path] += value.value;
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
    share_out(shortage, lacking, waiting, quirks_.empties_on_zero_division, imbalance_);
    if (quirks_.scales_inter_partition_apart)
      share_out(absent, sum(absent), length_ - covered, quirks_.empties_on_zero_division, inter_);
    else
      share_out(absent, lacking, waiting, false, inter_);
  }

  // Costs land on the locations that own the critical-path time of the call path.
  void distribute(RankResult& result, std::size_t t) {
    const std::vector<double> path = dense_values(result, t, Metric::kCriticalPath, paths_);
    for (std::size_t c = 0; c < paths_; ++c) {
      if (path[c] == 0) continue;
      const double share = path[c] / total_path_[c];
      if (const double cost = share * imbalance_[c]; cost > 0) put(result, t, Metric::kImbalanceImpact, c, cost);
      if (const double cost = share * inter_[c]; cost > 0) put(result, t, Metric::kInterPartitionImbalance, c, cost);
    }
  }

  std::vector<RankResult>& results_;
  const std::size_t paths_;
  const Quirks& quirks_;
  std::vector<double> total_path_;  // g
  std::vector<double> imbalance_, inter_;
  double length_ = 0;
};

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

// What a value of each metric adds to the working time.
std::array<double, kMetricCount> work_weights() {
  std::array<double, kMetricCount> weights{};
  weights[static_cast<std::size_t>(Metric::kTime)] = 1;
  for (const Metric metric : kNotWork) weights[static_cast<std::size_t>(metric)] = -1;
  return weights;
}

std::vector<double> working_time(const RankResult& result, std::size_t t, std::size_t paths) {
  static const std::array<double, kMetricCount> weights = work_weights();
  std::vector<double> work(paths, 0);
  for (const RankResult::Value& value : result.values[t]) work[value.path] += weights[value.metric] * value.value;
  return work;
}

void critical_path_imbalance(std::vector<RankResult>& results, const CallTree& tree, const Quirks& quirks) {
  const std::size_t paths = tree.size();
  std::vector<double> path(paths, 0), work(paths, 0), takes_part(paths, 0);
  double locations = 0;
  for (const RankResult& result : results)
    for (std::size_t t = 0; t < result.values.size(); ++t) {
      ++locations;
      std::vector<double> visits = dense_values(result, t, Metric::kVisits, paths);
      make_inclusive(visits, tree);
      const std::vector<double> own_path = dense_values(result, t, Metric::kCriticalPath, paths);
      const std::vector<double> own_work = working_time(result, t, paths);
      for (std::size_t c = 0; c < paths; ++c) {
        path[c] += own_path[c];
        work[c] += own_work[c];
        takes_part[c] += visits[c] > 0;
      }
    }
  make_inclusive(path, tree);
  make_inclusive(work, tree);
  for (RankResult& result : results)
    for (std::size_t t = 0; t < result.values.size(); ++t) {
      const std::vector<double> own = dense_values(result, t, Metric::kCriticalPath, paths);
      std::vector<double> inclusive = own;
      make_inclusive(inclusive, tree);
      for (std::size_t c = 0; c < paths; ++c) {
        if (inclusive[c] <= 0 || path[c] == 0) continue;
        const double average = work[c] / (quirks.averages_over_all ? locations : std::max(1.0, takes_part[c]));
        const double value = std::max(0.0, (path[c] - average) / path[c]) * own[c];
        if (value != 0)
          result.values[t].push_back({static_cast<std::uint32_t>(Metric::kCriticalPathImbalance), static_cast<PathIndex>(c), value});
      }
    }
}

}  // namespace

std::vector<double> dense_values(const RankResult& result, std::size_t thread, Metric metric, std::size_t paths) {
  std::vector<double> dense(paths, 0);
  for (const RankResult::Value& value : result.values[thread])
    if (value.metric == static_cast<std::uint32_t>(metric)) dense[value.path] += value.value;
  return dense;
}

void make_inclusive(std::vector<double>& values, const CallTree& tree) {
  for (std::size_t c = values.size(); c-- > 0;)
    if (const PathIndex parent = tree[static_cast<PathIndex>(c)].parent; parent != kNoPath) values[parent] += values[c];
}

void performance_impact(std::vector<RankResult>& results, const CallTree& tree, const Quirks& quirks) {
  Impact(results, tree, quirks).run();
  critical_path_imbalance(results, tree, quirks);
}

}  // namespace tarry
