// imbalance.cpp -- computational imbalance: who computes more or less than the average in each call path.
//
//   d = comp(c, l) - average(c): overload if positive, underload if negative; who does not visit c at all takes no part
//
// The average is over all threads inside parallel regions, over all processes (their masters) outside.
// Source: docs/METRICS.md, "Computational imbalance".
#include <algorithm>
#include <cmath>

#include "critical_path/performance_impact.hpp"
#include "column_blocks.hpp"

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
  Imbalance(Results& results, const std::vector<bool>& is_parallel, bool uses_openmp)
      : threads_(results.threads), values_(results.values), is_parallel_(is_parallel), uses_openmp_(uses_openmp) {}

  void run(const ColumnBlocks& blocks) {
    const std::vector<double> none(is_parallel_.size());
    const Computation all = blocks.sum(Computation{none, none, none}, [&](const ColumnBlock& block, Computation& sums) {
      visit(block, [&](PathIndex path, std::size_t, double time, bool visits) {
        sums.time[path] += time;
        ++sums.participants[path];
        sums.visitors[path] += visits;
      });
    });
    // One alone has nobody to compare with.
    if (none.empty() || *std::max_element(all.participants.begin(), all.participants.end()) < 2) return;
    blocks.for_each([&](const ColumnBlock& block) {
      visit(block, [&](PathIndex path, std::size_t column, double time, bool visits) {
        judge(all, path, column, time, visits);
      });
    });
  }

 private:
  // see(call path, column, computation, whether it is visited) where a thread takes part in the balance of a call path.
  template <class See>
  void visit(const ColumnBlock& block, See see) const {
    for (PathIndex path = 0; path < is_parallel_.size(); ++path) {
      const double* computation = values_.find(Metric::kComputation, path);
      const double* visits = values_.find(Metric::kVisits, path);
      const bool is_for_all = uses_openmp_ && is_parallel_[path];
      for (std::size_t column = block.begin; column < block.end; ++column)
        if (is_for_all || threads_[column].thread == 0)
          see(path, column, computation ? computation[column] : 0, visits && visits[column] > 0);
    }
  }

  void judge(const Computation& all, PathIndex path, std::size_t column, double time, bool visits) {
    const double average = all.time[path] / all.participants[path];
    const bool some_missing =
        average != 0 && all.visitors[path] < all.participants[path] && (!uses_openmp_ || is_parallel_[path]);
    const auto put = [&](Metric metric, double value) { values_.add(metric, path, column, value); };
    const double d = time - average;
    put(Metric::kImbalance, std::abs(d));
    put(d > 0 ? Metric::kImbalanceAbove : Metric::kImbalanceBelow, std::abs(d));
    if (!some_missing) return;
    const bool is_single = all.visitors[path] == 1;
    if (!visits) put(Metric::kImbalanceBelowBypass, average);
    if (is_single && !visits) put(Metric::kImbalanceSingularity, average);
    if (is_single && visits) put(Metric::kImbalanceAboveSingle, average * (all.participants[path] - 1));
  }

  const std::vector<AnalysedThread>& threads_;
  ValueRows& values_;
  const std::vector<bool>& is_parallel_;
  const bool uses_openmp_;
};

}  // namespace

void computational_imbalance(Results& results, const std::vector<bool>& is_parallel, bool uses_openmp, unsigned workers) {
  Imbalance(results, is_parallel, uses_openmp).run(ColumnBlocks(results.threads.size(), is_parallel.size(), workers));
}

}  // namespace tarry
