// imbalance.cpp -- computational imbalance: who computes more or less than the average in each call path.
//
//   d = comp(c, l) - average(c): overload if positive, underload if negative; who does not visit c at all takes no part
//
// The average is over all threads inside parallel regions, over all processes (their masters) outside.
// Source: docs/METRICS.md, "Computational imbalance".
#include <algorithm>

#include "critical_path/performance_impact.hpp"
#include "location_sums.hpp"

namespace tarry {
namespace {

// Sums per call path, over those who take part in its balance.
struct Computation {
  std::vector<double> time, participants, visitors;

  void operator+=(const Computation& other) {
    add_up(time, other.time);
    add_up(participants, other.participants);
    add_up(visitors, other.visitors);
  }
};

class Imbalance {
 public:
  Imbalance(const AllLocations& locations, const std::vector<bool>& is_parallel, bool uses_openmp)
      : locations_(locations), paths_(is_parallel.size()), is_parallel_(is_parallel), uses_openmp_(uses_openmp) {}

  void run() const {
    const std::vector<double> none(paths_);
    const Computation all = locations_.sum(Computation{none, none, none}, [&](const RankResult& result, std::size_t t, Computation& sums) {
      visit(result, t, [&](std::size_t path, double time, bool visits) {
        sums.time[path] += time;
        ++sums.participants[path];
        sums.visitors[path] += visits;
      });
    });
    // One alone has nobody to compare with.
    if (paths_ == 0 || *std::max_element(all.participants.begin(), all.participants.end()) < 2) return;
    locations_.for_each([&](RankResult& result, std::size_t t) {
      visit(result, t, [&](std::size_t path, double time, bool visits) { judge(result.derived[t], all, path, time, visits); });
    });
  }

 private:
  // see(call path, computation, whether it is visited) for the call paths in whose balance the location takes part.
  template <class See>
  void visit(const RankResult& result, std::size_t t, See see) const {
    const std::vector<double> computation = dense_values(result.values[t], Metric::kComputation, paths_);
    const std::vector<double> visits = dense_values(result.values[t], Metric::kVisits, paths_);
    for (std::size_t path = 0; path < paths_; ++path)
      if (t == 0 || (uses_openmp_ && is_parallel_[path])) see(path, computation[path], visits[path] > 0);
  }

  void judge(MetricValues& values, const Computation& all, std::size_t path, double time, bool visits) const {
    const double average = all.time[path] / all.participants[path];
    const bool some_missing =
        average != 0 && all.visitors[path] < all.participants[path] && (!uses_openmp_ || is_parallel_[path]);
    const double d = time - average;
    put(values, Metric::kImbalance, path, std::abs(d));
    put(values, d > 0 ? Metric::kImbalanceAbove : Metric::kImbalanceBelow, path, std::abs(d));
    if (!some_missing) return;
    const bool is_single = all.visitors[path] == 1;
    if (!visits) put(values, Metric::kImbalanceBelowBypass, path, average);
    if (is_single && !visits) put(values, Metric::kImbalanceSingularity, path, average);
    if (is_single && visits) put(values, Metric::kImbalanceAboveSingle, path, average * (all.participants[path] - 1));
  }

  static void put(MetricValues& values, Metric metric, std::size_t path, double value) {
    if (value != 0) values.push_back({static_cast<std::uint32_t>(metric), static_cast<PathIndex>(path), value});
  }

  const AllLocations& locations_;
  const std::size_t paths_;
  const std::vector<bool>& is_parallel_;
  const bool uses_openmp_;
};

}  // namespace

void computational_imbalance(std::vector<RankResult>& results, const std::vector<bool>& is_parallel, bool uses_openmp,
                             unsigned workers) {
  Imbalance(AllLocations(results, workers), is_parallel, uses_openmp).run();
}

}  // namespace tarry
