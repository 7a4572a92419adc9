// iteration_clusters.cpp -- which iterations of a loop are alike.
#include "measure/core/iteration_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tarry::measure {
namespace {

double sum_of_differences(const double (&one)[CondensedProfile::kGroups],
                          const double (&other)[CondensedProfile::kGroups]) {
  double sum = 0;
  for (std::size_t i = 0; i < CondensedProfile::kGroups; ++i) sum += std::abs(one[i] - other[i]);
  return sum;
}

}  // namespace

double CondensedProfile::sum_of_times() const { return std::accumulate(std::begin(time), std::end(time), 0.0); }
double CondensedProfile::sum_of_visits() const { return std::accumulate(std::begin(visits), std::end(visits), 0.0); }

// Relative to the mean iteration, so that times, visits and bytes weigh alike.
double IterationClusters::distance(const CondensedProfile& one, const CondensedProfile& other) const {
  double sum = 0;
  if (time_ > 0) sum += sum_of_differences(one.time, other.time) / time_;
  if (visits_ > 0) sum += sum_of_differences(one.visits, other.visits) / visits_;
  if (bytes_ > 0) sum += std::abs(one.bytes - other.bytes) / bytes_;
  return sum * iterations_;
}

std::uint32_t IterationClusters::nearest(const CondensedProfile& iteration, double& least) const {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const double there = distance(iteration, clusters_[i].mean);
    if (i > 0 && there >= least) continue;
    least = there;
    found = i;
  }
  return found;
}

void IterationClusters::join(Cluster& cluster, const CondensedProfile& mean, double iterations) {
  cluster.iterations += iterations;
  const double weight = iterations / cluster.iterations;
  CondensedProfile& sum = cluster.mean;
  for (std::size_t i = 0; i < CondensedProfile::kGroups; ++i) {
    sum.time[i] += (mean.time[i] - sum.time[i]) * weight;
    sum.visits[i] += (mean.visits[i] - sum.visits[i]) * weight;
  }
  sum.bytes += (mean.bytes - sum.bytes) * weight;
}

void IterationClusters::update_distances(std::uint32_t cluster) {
  for (std::uint32_t i = 0; i < count_; ++i)
    distances_[i][cluster] = distances_[cluster][i] =
        static_cast<float>(distance(clusters_[i].mean, clusters_[cluster].mean));
}

void IterationClusters::note(std::int64_t number, std::uint32_t cluster) {
  if (run_count_ > 0) {
    Run& last = runs_[run_count_ - 1];
    if (last.cluster == cluster && number == last.first + last.count && last.count + 1 > last.count) {
      ++last.count;
      return;
    }
  }
  if (run_count_ < kMostRuns) runs_[run_count_++] = {number, 1, cluster};
}

// Runs that now follow on each other become one.
void IterationClusters::relabel(std::uint32_t emptied, std::uint32_t filled) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < run_count_; ++i) {
    Run run = runs_[i];
    if (run.cluster == emptied) run.cluster = filled;
    Run* const last = kept > 0 ? &runs_[kept - 1] : nullptr;
    if (last && last->cluster == run.cluster && last->first + last->count == run.first &&
        last->count + run.count >= last->count)
      last->count += run.count;
    else runs_[kept++] = run;
  }
  run_count_ = kept;
}

IterationClusters::Decision IterationClusters::add(std::int64_t number, const CondensedProfile& iteration,
                                                   std::uint32_t most) {
  most = std::clamp(most, 1u, kMost);
  iterations_ += 1;
  time_ += iteration.sum_of_times();
  visits_ += iteration.sum_of_visits();
  bytes_ += iteration.bytes;
  Decision decision;
  double least = 0;
  decision.cluster = nearest(iteration, least);
  if (count_ == 0 || (least > kAlike && count_ < most)) {
    decision.cluster = count_++;
  } else if (least > kAlike) {
    // The iteration takes the place of a cluster if two of them are nearer to each other than it is to any.
    for (std::uint32_t i = 0; i < count_; ++i)
      for (std::uint32_t other = 0; other < i; ++other)
        if (distances_[i][other] < least) {
          least = distances_[i][other];
          decision = {.cluster = i, .emptied = i, .filled = other};
        }
    if (decision.emptied != kNone) {
      Cluster& emptied = clusters_[decision.emptied];
      join(clusters_[decision.filled], emptied.mean, emptied.iterations);
      emptied = {};
      relabel(decision.emptied, decision.filled);
      update_distances(decision.filled);
    }
  }
  join(clusters_[decision.cluster], iteration, 1);
  update_distances(decision.cluster);
  note(number, decision.cluster);
  return decision;
}

}  // namespace tarry::measure
