// analysis_of.hpp -- runs the whole analysis on a trace written down in a test, and looks up what it found.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/replay/synthetic_source.hpp"
#include "analysis/analysis.hpp"
#include "analysis/waits/find_waits.hpp"

namespace tarry {

/// The result of `tarry replay` on a trace, in memory. Times are ticks; call paths are region names joined by '/'.
class AnalysisOf {
 public:
  explicit AnalysisOf(Source& source, const Compatibility& compatibility = Compatibility::none(), unsigned workers = 1)
      : AnalysisOf(source, AnalysisOptions{.compatibility = compatibility, .wants_path = true}, workers) {}
  AnalysisOf(Source& source, const CompatibilitySwitches& switches, unsigned workers = 1)
      : AnalysisOf(source, Compatibility(switches), workers) {}
  AnalysisOf(Source& source, const AnalysisOptions& options, unsigned workers = 1, const TimeSelector& selector = {},
             const Retiming* retiming = nullptr)
      : options_(options),
        source_(source),
        trace_(source, exchange_, workers, selector, details_of(options, retiming)),
        result_(analyse_matched(options)) {}

  /// Exclusive along the call tree, inclusive along the metric tree. 0 where there is none.
  double value(Metric metric, const std::string& path, std::uint32_t rank, std::uint32_t thread = 0) const {
    double sum = 0;
    for_each_value_of(metric, [&](PathIndex at, const AnalysedThread& where, double value) {
      const WorldRank of_process = trace_.ranks()[where.rank_index].rank;
      if (where.thread == ThreadIndex(thread) && of_process == WorldRank(rank) && path_name(at) == path) sum += value;
    });
    return sum;
  }

  /// Over all call paths and threads.
  double total(Metric metric) const {
    double sum = 0;
    for_each_value_of(metric, [&](PathIndex, const AnalysedThread&, double value) { sum += value; });
    return sum;
  }

  /// visit(metric, call path, thread, value) for all values that are not 0, metric by metric.
  template <class Visit>
  void for_each_value(Visit visit) const {
    for (std::size_t m = 0; m < kMetricCount; ++m) {
      const auto metric = static_cast<Metric>(m);
      for_each_value_of(metric, [&](const auto&... rest) { visit(metric, rest...); });
    }
  }

  /// visit(call path, thread, value) for all values of a metric that are not 0, thread by thread.
  template <class Visit>
  void for_each_value_of(Metric metric, Visit visit) const {
    const Results& results = result_.results;
    for (std::size_t column = 0; column < results.threads.size(); ++column)
      for (PathIndex path = 0; path < results.values.paths(); ++path)
        if (const double* row = results.values.find(metric, path); row && row[column] != 0)
          visit(path, results.threads[column], row[column]);
  }

  std::string path_name(PathIndex path) const {
    const CallTreeNode& node = result_.tree[path];
    const std::string& name = trace_.regions().name(node.region);
    return node.parent == kNoPath ? name : path_name(node.parent) + "/" + name;
  }

  std::uint64_t faults(Fault fault) { return source_.faults().count(fault); }
  std::uint64_t faults() { return source_.faults().total(); }
  Trace& trace() { return trace_; }
  const Results& results() const { return result_.results; }
  const AnalysisResult& result() const { return result_; }

  /// What the patterns found, but for waits at locks.
  FoundWaits waits() const {
    const UnifiedTree unified = unify_call_trees(trace_);
    Results values(trace_, unified.tree.size());
    return find_waits(trace_, LockLogs(1, trace_.ranks().size()), {unified, IterationSlots()}, {},
                      options_.compatibility, nullptr, values);
  }

  /// For once: nothing is left here afterwards.
  AnalysisResult take_result() { return std::move(result_); }

 private:
  static KeptDetails details_of(const AnalysisOptions& options, const Retiming* retiming) {
    KeptDetails details = options.compatibility.kept_details();
    details.retiming = retiming;
    details.queues = options.compatibility.has_device_waits();
    details.iterations = options.iterations;
    details.visit_logs = options.wants_stretches;  // as a timeline needs them
    return details;
  }

  AnalysisResult analyse_matched(const AnalysisOptions& options) {
    if (needs_messages(options)) match_messages(trace_, options.compatibility.match_order());
    return analyse(trace_, trace_.take_locks(), options).result;
  }

  AnalysisOptions options_;
  Source& source_;
  Exchange exchange_;
  Trace trace_;
  AnalysisResult result_;
};

}  // namespace tarry
