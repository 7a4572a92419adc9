// findings.hpp -- ranked summary of a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"
#include "report/metrics/time_classes.hpp"
#include "findings/device_findings.hpp"
#include "findings/heap_findings.hpp"
#include "findings/iterations/iteration_finding.hpp"
#include "findings/causes/path_finding.hpp"
#include "findings/causes/root_causes.hpp"
#include "findings/imbalance/processor_load.hpp"
#include "findings/imbalance/region_imbalance.hpp"
#include "findings/losses/sample_losses.hpp"
#include "findings/losses/stack_losses.hpp"
#include "findings/losses/throttled_functions.hpp"
#include "findings/causes/severe_waits.hpp"
#include "findings/causes/wait_metrics.hpp"

namespace tarry {

/// Seconds of one process, all its threads together.
struct RankTime {
  ReportRank rank{0};
  Seconds seconds = 0;
};

/// Seconds of one thread of the only process.
struct ThreadTime {
  ReportThread thread{0};
  Seconds seconds = 0;
};

/// One wait state at one call path, over all processes.
struct WaitFinding {
  std::string metric;  // unique name
  std::string name;    // display name; that of a part ("Messages in Wrong Order") if most of the time belongs to it
  WaitFamily kind = WaitFamily::kNone;
  CallPathId call_path;
  Seconds seconds = 0;
  std::vector<RankTime> ranks;  // by rank; processes that reach the call path
  RankTime worst;
  std::vector<ReportRank> waiting_most;  // at least half as long as the worst
  // The same of threads, where a single process has several; else empty:
  std::vector<ReportThread> waiting_threads;
  ThreadTime worst_thread;
  std::optional<SevereWait> longest;  // the longest single wait, where the report lists it
  std::optional<WaitCauses> causes;   // where the report tells those of this call path
};

/// A wait state over all call paths and processes.
struct WaitTotal {
  std::string metric;  // unique name
  std::string name;    // display name
  Seconds seconds = 0;
  std::size_t call_paths = 0;  // that have such waits
  RankTime worst;
  std::vector<ReportRank> waiting_most;  // at least half as long as the worst
  // The same of threads, where a single process has several; else empty:
  std::vector<ReportThread> waiting_threads;
  ThreadTime worst_thread;
};

/// Where the time of a call path itself goes.
struct PathFinding {
  CallPathId call_path;
  Seconds seconds = 0;
  double visits = 0;
  RankTime worst;
  Seconds mean = 0;         // per process, or per thread:
  ThreadTime worst_thread;  // where a single process has several
};

/// Iterations of a loop that are like each other, in one call path.
struct ClusterFinding {
  CallPathId call_path;
  Seconds seconds = 0;  // calls included
  double iterations = 0;
  std::string numbers;  // which: "1000-1008,1010,... (99 in all)"
};

/// A counter over the whole run.
struct CounterFinding {
  std::string name, unit;
  bool is_level = false;
  double value = 0;           // sum; of a level the highest
  CallPathId call_path = {};  // where most of it is from; not of a level
  double at_path = 0;         // how much, calls excluded
};

struct Findings {
  std::string program;
  std::size_t nodes = 0, processes = 0, locations = 0;
  Seconds wall = 0;  // longest of all locations
  TimeShares shares;
  Seconds init_and_finalize = 0;  // of all processes: in MPI_Init and MPI_Finalize, without waiting at the end
  bool is_analysis = false;       // an analysis; otherwise a profile
  Seconds waiting = 0;
  std::vector<WaitTotal> wait_totals;  // largest first; together they are `waiting`
  std::vector<WaitFinding> waits;      // largest first
  RootCauses root_causes;              // of all waits together
  std::optional<CriticalPathFinding> critical_path;
  std::optional<DeviceFindings> devices;  // of accelerators
  std::vector<PathFinding> paths;         // largest first
  std::vector<ClusterFinding> clusters;   // largest first
  std::vector<CounterFinding> counters;   // in the order of the report
  HeapFindings heap;
  std::optional<IterationFinding> iterations;  // that stick out in the largest wait, where there is a time series
  ProcessorLoad processors;
  std::optional<SampleLosses> samples;       // none: the run was not sampled
  std::optional<StackLosses> stacks;         // none: no stack was cut
  std::vector<ThrottledFunction> throttled;  // most calls first
  MissingNames missing_names;
  Imbalances imbalances;       // of at least 0.1 % of the allocation time
  std::string covers;          // the part that the report was wanted of; empty if it is all
  std::string predicted;       // how the machine or program was changed that the report predicts; empty: it is of a run
  std::string incomplete;      // why the report covers a part of the run only; empty if it covers all
  std::string left_out;        // which calls of MPI are not recorded; empty if all are
  std::string calls_left_out;  // which of OpenMP, POSIX threads and files; the same
  std::string unfollowed;      // blocks of the heap whose frees are not known, as a sentence; empty: of all they are
  std::string unseen_openmp;   // that OpenMP was not recorded, as a sentence; empty if it was, or was not used
  std::string unreceived;      // messages that nobody receives, as a sentence; empty if there are none
};

/// At most `most` call paths, and as many waits; besides the largest wait of each wait state. Fails if the report has
/// no metric `time`.
Result<Findings> find_findings(const Report& report, std::size_t most);

}  // namespace tarry
