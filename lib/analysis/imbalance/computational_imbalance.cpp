// computational_imbalance.cpp -- computational imbalance: who computes more or less than the average in each call path.
#include <algorithm>

#include "analysis/critical_path/performance_impact.hpp"
#include "base/processes/worker_pool.hpp"
#include "report/algebra/imbalance.hpp"

namespace tarry {
namespace {

std::vector<BalancedThread> balanced_threads(const Results& results, const std::vector<WorldIndex>& worlds) {
  std::vector<BalancedThread> threads;
  for (std::size_t column = 0; column < results.threads.size(); ++column)
    threads.push_back({.is_first = results.threads[column].is_master(),
                       .is_thread = !results.threads[column].is_queue,
                       .world = worlds.empty() ? 0 : std::uint32_t{worlds[column].value}});
  return threads;
}

// The sum of some rows; zeros if there is none.
std::vector<double> sum_rows(const ValueRows& values, std::initializer_list<Metric> metrics, PathIndex path) {
  std::vector<double> sums(values.columns(), 0);
  for (const Metric metric : metrics)
    if (const double* const row = values.find(metric, path))
      for (std::size_t column = 0; column < sums.size(); ++column) sums[column] += row[column];
  return sums;
}

void put(ValueRows& values, PathIndex path, std::size_t column, const Imbalance& own) {
  values.add(Metric::kImbalance, path, column, own.total);
  values.add(Metric::kImbalanceAbove, path, column, own.above);
  values.add(Metric::kImbalanceBelow, path, column, own.below);
  values.add(Metric::kImbalanceBelowBypass, path, column, own.below_bypass);
  values.add(Metric::kImbalanceSingularity, path, column, own.below_singularity);
  values.add(Metric::kImbalanceAboveSingle, path, column, own.above_single);
}

}  // namespace

void computational_imbalance(Results& results, const std::vector<bool>& is_parallel,
                             const std::vector<WorldIndex>& worlds, bool uses_openmp, unsigned workers) {
  const bool has_parallel_paths = std::ranges::find(is_parallel, true) != is_parallel.end();
  const ThreadBalance balance(balanced_threads(results, worlds), uses_openmp, has_parallel_paths);
  if (!balance.has_others()) return;
  run_parallel(workers, is_parallel.size(), [&](std::size_t number) {
    const auto path = static_cast<PathIndex>(number);
    const std::vector<double> time = sum_rows(results.values, {Metric::kComputation, Metric::kBlocked}, path);
    const std::vector<double> visits = sum_rows(results.values, {Metric::kVisits}, path);
    balance.compare(is_parallel[path], time, visits,
                    [&](std::size_t column, const Imbalance& own) { put(results.values, path, column, own); });
  });
}

}  // namespace tarry
