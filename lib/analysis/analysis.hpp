// analysis.hpp -- all passes of the replay in order, and what they leave for the report.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/instances/instances.hpp"
#include "analysis/compatibility.hpp"
#include "analysis/critical_path/path_stretches.hpp"
#include "analysis/delay/cause_rows.hpp"
#include "analysis/delay/delay_context.hpp"
#include "analysis/delay/delay_events.hpp"
#include "analysis/delay/delay_instances.hpp"
#include "base/tool/progress.hpp"
#include "replay/iterations/iteration_marks.hpp"
#include "replay/trace.hpp"
#include "analysis/results.hpp"
#include "analysis/selection.hpp"
#include "report/tables/file_table.hpp"
#include "report/tables/iteration_table.hpp"
#include "report/tables/message_matrix.hpp"

namespace tarry {

/// The results of all threads, and the call tree their paths belong to.
struct AnalysisResult {
  CallTree tree;
  Results results;
  std::string critical_path;  // as CSV
  PathStretches stretches;    // of it; empty unless asked for
  Instances instances;        // empty unless asked for
  DelayEvents delays;         // the same; of the ranks that this analysis process hosts
  MessageMatrix messages;     // the same
  FileTable files;            // the same
  CausesOfWaits causes;       // the same
  IterationTable iterations;  // the same; without values, which are in `results`
};

/// What is wanted beside the metrics themselves.
struct AnalysisOptions {
  Compatibility compatibility = {};
  std::size_t instances = 0;     // most severe instances of each kind of wait state; 0: none, and no statistics
  MetricSelection metrics = {};  // others are not computed, unless a selected one needs them
  bool wants_counters = true;    // counters of the trace become metrics, too
  bool wants_messages = true;    // the message matrix and the table of files
  bool wants_causes = true;      // what caused the waits at the call paths with most of them
  bool wants_path = false;       // the critical path itself, whatever the metrics
  bool wants_stretches = false;  // the same, as AnalysisResult::stretches
  bool wants_delays = false;     // single delays
  bool keeps_causes = false;     // what simulations without delays need, as Analysis::causes
  const IterationMarks* iterations = nullptr;  // of a time series, as when the trace was read; nullptr: none
  Progress* progress = nullptr;
};

/// The delay analysis of the run, of the ranks that an analysis process hosts.
struct FoundCauses {
  AllSyncPoints sync;
  CountedWaits counted;
  WaitGroups groups;
  DelaysByCause delays;
};

/// What the passes have found in a trace, which has to outlive it.
struct Analysis {
  const Trace& trace;
  Compatibility compatibility;
  UnifiedTree unified;
  IterationSlots slots;
  std::unique_ptr<FoundCauses> causes;  // of AnalysisOptions::keeps_causes
  AnalysisResult result;                // of all threads at analysis process 0; for a report

  /// The input of the delay analysis. Needs `causes`, and refers to members of this object, which must not move.
  DelayContext context() const {
    return {trace, causes->sync, unified, compatibility, causes->counted, causes->groups, slots};
  }

  /// The unified call path that stands for one in all iterations of its loop: the one that causes are told of.
  PathIndex shown(PathIndex path) const { return causes->groups.shown(path); }
};

/// Whether messages have to be matched for that.
bool needs_messages(const AnalysisOptions& options);

/// Runs all passes that are wanted over the matched trace, each of them once. Collective over the analysis processes.
Analysis analyse(const Trace& trace, LockLogs locks, const AnalysisOptions& options);

}  // namespace tarry
