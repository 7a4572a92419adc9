// imbalance.cpp -- computational imbalance: who computes more or less than the average in each call path.
//
//   d = comp(c, l) - average(c): overload if positive, underload if negative; who does not visit c at all takes no part
//
// The average is over all threads inside parallel regions, over all processes (their masters) outside.
// Source: docs/METRICS.md, "Computational imbalance".
#include <algorithm>

#include "critical_path/performance_impact.hpp"

namespace tarry {
namespace {

struct Participant {
  RankResult* result;
  std::size_t thread;
  double computation;
  bool visits;
};

class Imbalance {
 public:
  Imbalance(const std::vector<bool>& is_parallel, bool uses_openmp) : is_parallel_(is_parallel), uses_openmp_(uses_openmp) {}

  void add_path(std::size_t path, std::span<const Participant> participants) const {
    double total = 0;
    std::size_t visitors = 0;
    for (const Participant& p : participants) {
      total += p.computation;
      visitors += p.visits;
    }
    const auto count = static_cast<double>(participants.size());
    const double average = total / count;
    const bool some_missing = average != 0 && visitors < participants.size() && (!uses_openmp_ || is_parallel_[path]);
    for (const Participant& p : participants) {
      const double d = p.computation - average;
      put(p, Metric::kImbalance, path, std::abs(d));
      put(p, d > 0 ? Metric::kImbalanceAbove : Metric::kImbalanceBelow, path, std::abs(d));
      if (!some_missing) continue;
      if (!p.visits) put(p, Metric::kImbalanceBelowBypass, path, average);
      if (visitors == 1 && !p.visits) put(p, Metric::kImbalanceSingularity, path, average);
      if (visitors == 1 && p.visits) put(p, Metric::kImbalanceAboveSingle, path, average * (count - 1));
    }
  }

 private:
  static void put(const Participant& p, Metric metric, std::size_t path, double value) {
    if (value != 0)
      p.result->values[p.thread].push_back({static_cast<std::uint32_t>(metric), static_cast<PathIndex>(path), value});
  }

  const std::vector<bool>& is_parallel_;
  const bool uses_openmp_;
};

}  // namespace

void computational_imbalance(std::vector<RankResult>& results, const CallTree& tree,
                             const std::vector<bool>& is_parallel, bool uses_openmp) {
  struct Location {
    RankResult* result;
    std::size_t thread;
    std::vector<double> computation, visits;
  };
  std::vector<Location> locations;
  for (RankResult& result : results)
    for (std::size_t t = 0; t < result.values.size(); ++t)
      locations.push_back({&result, t, dense_values(result, t, Metric::kComputation, tree.size()),
                           dense_values(result, t, Metric::kVisits, tree.size())});
  if (locations.size() < 2) return;
  const Imbalance imbalance(is_parallel, uses_openmp);
  std::vector<Participant> participants;
  for (std::size_t path = 0; path < tree.size(); ++path) {
    participants.clear();
    for (const Location& l : locations)
      if (l.thread == 0 || (uses_openmp && is_parallel[path]))
        participants.push_back({l.result, l.thread, l.computation[path], l.visits[path] > 0});
    imbalance.add_path(path, participants);
  }
}

}  // namespace tarry
