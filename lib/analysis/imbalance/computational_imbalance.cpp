// computational_imbalance.cpp -- computational imbalance: who computes more or less than the average in each call path.
//
// The average is over all threads inside parallel regions, over all processes (their masters) outside. Of several
// worlds, which begin at different times, each has an average of its own.
// Source: docs/METRICS.md, "Computational imbalance".
#include <algorithm>

#include "analysis/critical_path/performance_impact.hpp"
#include "analysis/column_blocks.hpp"
#include "report/algebra/imbalance.hpp"

namespace tarry {
namespace {

// Sums per world and call path, over those who take part in its balance.
struct Computation {
  std::vector<double> time, participants, visitors;

  void operator+=(const Computation& other) {
    add_up(time, other.time);
    add_up(participants, other.participants);
    add_up(visitors, other.visitors);
  }
};

class BalanceOfPaths {
 public:
  BalanceOfPaths(Results& results, const std::vector<bool>& is_parallel, const std::vector<WorldIndex>& worlds,
                 bool uses_openmp)
      : threads_(results.threads),
        values_(results.values),
        is_parallel_(is_parallel),
        worlds_(worlds),
        uses_openmp_(uses_openmp) {}

  void run(const ColumnBlocks& blocks) {
    const std::size_t paths = is_parallel_.size();
    const std::size_t count = worlds_.empty() ? 1 : std::max_element(worlds_.begin(), worlds_.end())->value + 1u;
    const std::vector<double> none(paths * count);
    const Computation all = blocks.sum(Computation{none, none, none}, [&](const ColumnBlock& block, Computation& sums) {
      visit(block, [&](PathIndex path, std::size_t column, double time, bool visits) {
        const std::size_t at = place_of(path, column);
        sums.time[at] += time;
        ++sums.participants[at];
        sums.visitors[at] += visits;
      });
    });
    if (paths == 0) return;
    // With a single one there is no other to compare with.
    std::vector<bool> is_alone;
    for (std::size_t world = 0; world < count; ++world) {
      const double* const participants = &all.participants[world * paths];
      is_alone.push_back(*std::max_element(participants, participants + paths) < 2);
    }
    blocks.for_each([&](const ColumnBlock& block) {
      visit(block, [&](PathIndex path, std::size_t column, double time, bool visits) {
        if (!is_alone[world_of(column)]) judge(all, path, column, time, visits);
      });
    });
  }

 private:
  std::size_t world_of(std::size_t column) const { return worlds_.empty() ? 0 : worlds_[column].value; }
  // In Computation.
  std::size_t place_of(PathIndex path, std::size_t column) const {
    return world_of(column) * is_parallel_.size() + path;
  }

  // see(call path, column, computation, whether it is visited) where a thread takes part in the balance of a call path.
  template <class See>
  void visit(const ColumnBlock& block, See see) const {
    for (PathIndex path = 0; path < is_parallel_.size(); ++path) {
      const double* computation = values_.find(Metric::kComputation, path);
      const double* blocked = values_.find(Metric::kBlocked, path);
      const double* visits = values_.find(Metric::kVisits, path);
      const bool is_for_all = uses_openmp_ && is_parallel_[path];
      for (std::size_t column = block.begin; column < block.end; ++column)
        if (is_for_all || threads_[column].is_master())
          see(path, column, (computation ? computation[column] : 0) + (blocked ? blocked[column] : 0),
              visits && visits[column] > 0);
    }
  }

  void judge(const Computation& all, PathIndex path, std::size_t column, double time, bool visits) {
    const std::size_t at = place_of(path, column);
    const PathBalance balance{all.time[at], all.participants[at], all.visitors[at]};
    const Imbalance own = imbalance_of(balance, !uses_openmp_ || is_parallel_[path], time, visits);
    const auto put = [&](Metric metric, double value) {
      if (value != 0) values_.add(metric, path, column, value);
    };
    put(Metric::kImbalance, own.total);
    put(Metric::kImbalanceAbove, own.above);
    put(Metric::kImbalanceBelow, own.below);
    put(Metric::kImbalanceBelowBypass, own.below_bypass);
    put(Metric::kImbalanceSingularity, own.below_singularity);
    put(Metric::kImbalanceAboveSingle, own.above_single);
  }

  const std::vector<AnalysedThread>& threads_;
  ValueRows& values_;
  const std::vector<bool>& is_parallel_;
  const std::vector<WorldIndex>& worlds_;
  const bool uses_openmp_;
};

}  // namespace

void computational_imbalance(Results& results, const std::vector<bool>& is_parallel,
                             const std::vector<WorldIndex>& worlds, bool uses_openmp, unsigned workers) {
  const ColumnBlocks blocks(results.threads.size(), is_parallel.size(), workers);
  BalanceOfPaths(results, is_parallel, worlds, uses_openmp).run(blocks);
}

}  // namespace tarry
