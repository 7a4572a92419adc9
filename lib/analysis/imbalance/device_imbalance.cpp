// device_imbalance.cpp -- whose accelerators execute more or less of a kernel than those of other processes.
//
// A process may spread its kernels over its queues as it likes: they count together, at its first queue.
// Source: docs/METRICS.md, "Imbalance of devices".
#include "analysis/imbalance/device_imbalance.hpp"

#include <algorithm>

#include "base/processes/worker_pool.hpp"
#include "report/algebra/imbalance.hpp"

namespace tarry {
namespace {

/// For each column, the column of the first queue of the same process. A thread's is its own.
std::vector<std::size_t> first_queues(const Results& results) {
  std::vector<std::size_t> first;
  for (std::size_t column = 0; column < results.threads.size(); ++column) {
    const bool follows_queue = column > 0 && results.threads[column].is_queue && results.threads[column - 1].is_queue &&
                               results.threads[column - 1].rank_index == results.threads[column].rank_index;
    first.push_back(follows_queue ? first.back() : column);
  }
  return first;
}

ThreadBalance balance_of(const Results& results, const std::vector<std::size_t>& first,
                         const std::vector<WorldIndex>& worlds) {
  std::vector<BalancedThread> queues;
  for (std::size_t column = 0; column < first.size(); ++column)
    queues.push_back({.is_first = true,
                      .is_thread = results.threads[column].is_queue && first[column] == column,
                      .world = worlds.empty() ? 0 : std::uint32_t{worlds[column].value}});
  return ThreadBalance(std::move(queues), false, false);
}

void put_difference(ValueRows& values, PathIndex path, std::size_t column, const Imbalance& own) {
  values.add(Metric::kDeviceImbalance, path, column, own.total);
  values.add(Metric::kDeviceImbalanceAbove, path, column, own.above);
  values.add(Metric::kDeviceImbalanceBelow, path, column, own.below);
}

}  // namespace

void device_imbalance(Results& results, std::size_t paths, const std::vector<WorldIndex>& worlds, unsigned workers) {
  const std::vector<std::size_t> first = first_queues(results);
  const ThreadBalance balance = balance_of(results, first, worlds);
  if (!balance.has_others()) return;
  run_parallel(workers, paths, [&](std::size_t number) {
    const auto path = static_cast<PathIndex>(number);
    const double* const kernels = results.values.find(Metric::kDeviceKernels, path);
    if (!kernels) return;
    std::vector<double> time(first.size());
    for (std::size_t column = 0; column < first.size(); ++column) time[first[column]] += kernels[column];
    balance.compare(false, time, time, [&](std::size_t column, const Imbalance& own) {
      put_difference(results.values, path, column, own);
    });
  });
}

}  // namespace tarry
