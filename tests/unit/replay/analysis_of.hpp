// analysis_of.hpp -- runs the whole analysis on a trace written down in a test, and looks up what it found.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "synthetic_source.hpp"
#include "tools/replay/analysis.hpp"

namespace tarry {

/// The result of `tarry replay` on a trace, in memory. Times are ticks; call paths are region names joined by '/'.
class AnalysisOf {
 public:
  explicit AnalysisOf(SyntheticTrace& trace, const Quirks& quirks = Quirks::none(), unsigned workers = 1)
      : AnalysisOf(trace, AnalysisOptions{quirks}, workers) {}
  AnalysisOf(SyntheticTrace& trace, const AnalysisOptions& options, unsigned workers = 1,
             const TimeSelector& selector = {})
      : trace_(trace),
        exchange_(nullptr, nullptr),
        world_(trace, exchange_, workers, selector, {.lock_places = !options.quirks.thread_locks_cost_nothing}),
        result_(analyse(world_, options)) {}

  /// Exclusive along the call tree, inclusive along the metric tree. 0 where there is none.
  double value(Metric metric, const std::string& path, std::uint32_t rank, std::uint32_t thread = 0) const {
    double sum = 0;
    for (const RankResult& result : result_.ranks)
      if (world_.ranks()[result.rank_index].rank == rank && thread < result.values.size())
        for (const MetricValue& value : result.values[thread])
          if (value.metric == static_cast<std::uint32_t>(metric) && path_name(value.path) == path)
            sum += value.value;
    return sum;
  }

  /// Over all call paths and threads.
  double total(Metric metric) const {
    double sum = 0;
    for (const RankResult& result : result_.ranks)
      for (const auto& thread : result.values)
        for (const MetricValue& value : thread)
          if (value.metric == static_cast<std::uint32_t>(metric)) sum += value.value;
    return sum;
  }

  std::string path_name(PathIndex path) const {
    const CallTreeNode& node = result_.tree[path];
    const std::string& name = world_.regions().name(node.region);
    return node.parent == kNoPath ? name : path_name(node.parent) + "/" + name;
  }

  std::uint64_t faults(Fault fault) { return trace_.faults().count(fault); }
  std::uint64_t faults() { return trace_.faults().total(); }
  World& world() { return world_; }
  const std::vector<RankResult>& results() const { return result_.ranks; }
  const AnalysisResult& result() const { return result_; }

 private:
  SyntheticTrace& trace_;
  Exchange exchange_;
  World world_;
  AnalysisResult result_;
};

}  // namespace tarry
