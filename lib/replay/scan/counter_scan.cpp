// counter_scan.cpp -- the part of the pass over the events that gives values of counters to call paths.
#include "replay/scan/counter_scan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tarry {
namespace {

// The new value of a call path, from its value so far and two readings of the counter, as recorded bits. Without an
// earlier reading (`is_first`) `before` is not used.
double next_sum(const Counter& counter, double sum, bool is_first, std::uint64_t before, std::uint64_t now) {
  if (counter.mode == CounterMode::kSinceStart)
    return sum + (is_first ? 0 : counter_difference(counter.type, before, now));
  if (is_summed(counter.mode)) return sum + counter_value(counter.type, now);
  return std::max({sum, counter_value(counter.type, now), is_first ? kNoLevel : counter_value(counter.type, before)});
}

}  // namespace

void count_metric(ScannedThread& thread, Ticks time, const record::Metric& metric) {
  const std::vector<Counter>& counters = thread.process.source.definitions().counters;
  const std::uint32_t number = metric.metric.value;
  if (number >= counters.size()) return thread.fault(Fault::kUndefinedReference, "metric");
  const Counter& counter = counters[number];
  if (number >= thread.logical.counters.size()) thread.logical.counters.resize(number + 1);
  CounterSums& sums = thread.logical.counters[number];
  const std::uint64_t before = std::exchange(sums.last, metric.value);
  const bool is_first = !std::exchange(sums.is_recorded, true);
  if (thread.open.is_empty() || !thread.logical.counts(time)) return;
  const PathIndex path = thread.open.path();
  if (path >= sums.of_path.size()) sums.of_path.resize(path + 1, is_summed(counter.mode) ? 0 : kNoLevel);
  sums.of_path[path] = next_sum(counter, sums.of_path[path], is_first, before, metric.value);
}

}  // namespace tarry
