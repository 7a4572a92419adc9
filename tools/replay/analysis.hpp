// analysis.hpp -- all passes of the replay in order, and what they leave for the report.
#pragma once

#include <cstdint>
#include <vector>

#include "instances.hpp"
#include "patterns/pattern.hpp"
#include "base/progress.hpp"
#include "replay/world.hpp"
#include "selection.hpp"

namespace tarry {

/// What is known of one process when all passes are done. Call paths are those of the united tree.
struct RankResult {
  std::uint32_t rank_index = 0;                // position in World::ranks()
  std::vector<std::uint32_t> locations;        // of its threads
  std::vector<MetricValues> values;            // per thread, by metric and call path
  std::vector<MetricValues> derived;           // per thread: found from the values of all, of which they become a part last
  std::vector<MetricValues> activities;        // per thread: time without waits (metric 0), in ticks
  std::vector<MetricValues> counters;          // per thread: `metric` is the CounterId
};

/// The results of all processes, in order of rank, and the call tree their paths belong to.
struct AnalysisResult {
  CallTree tree;
  std::vector<RankResult> ranks;
  std::string critical_path;  // as CSV
  Instances instances;        // empty unless asked for
};

/// What is wanted beside the metrics themselves.
struct AnalysisOptions {
  Quirks quirks = {};
  std::size_t instances = 0;  // most severe instances of each kind of wait state; 0: none, and no statistics
  MetricSelection metrics = {};  // what nobody asks for is not computed, as far as nothing else needs it
  bool wants_counters = true;  // what the trace says of counters becomes metrics, too
  bool wants_path = false;    // the critical path itself, whatever the metrics
  Progress* progress = nullptr;
};

/// Runs all patterns over the matched trace; returns the results at analysis process 0, and no ranks
/// elsewhere. Collective over the analysis processes.
AnalysisResult analyse(World& world, const AnalysisOptions& options);

}  // namespace tarry
