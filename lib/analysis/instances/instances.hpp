// instances.hpp -- single waits: the most severe of each kind, who was waited for, and statistics of all of them.
//
// Patterns book each wait through RankContext::add_wait. Without --instances nothing else happens there.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "report/metrics/metrics.hpp"
#include "replay/trees/unified_tree.hpp"
#include "replay/trace.hpp"
#include "analysis/instances/wait_statistics.hpp"

namespace tarry {

/// The operation that a wait waited for. It has its call path in the tree of its process. If only that process can look
/// up the call path, it has its record instead.
struct WaitCause {
  RankIndex rank{};  // none: unknown
  WorldRank world_rank{};
  ThreadIndex thread{};
  PathIndex path = kNoPath;
  CollectiveIndex collective{};
};

/// What kept the one who was waited for: what it did since it was last together with the one who waits.
struct DelayOfWait {
  Ticks begin = 0;  // of that time,
  Ticks end = 0;    // until it entered what was waited for; equal to `begin`: not known
  Ticks delay = 0;  // what it did more in that time than the one who waits
  ThreadIndex thread{};
  Ticks through_enter = 0;  // of its own longest wait in that time
  Ticks through_wait = 0;   // how long that is; 0: it did not wait

  bool is_known() const { return begin < end; }
};

/// One wait of one thread. Times are absolute ticks.
struct WaitInstance {
  Metric metric = Metric::kNone;
  Metric part = Metric::kNone;  // of several below `metric`, the one that all of it counts as, too
  ThreadIndex thread{};
  RankIndex rank{};
  WorldRank world_rank{};
  PathIndex path = kNoPath;  // in the process's own call tree; unified ones in Instances
  Ticks enter = 0;           // of the call that waits
  Ticks exit = 0;
  Ticks begin = 0;      // of the wait
  Ticks wait = 0;       // what of it counts
  Ticks full_wait = 0;  // all of it
  WaitCause cause;
  PathIndex delay_path = kNoPath;  // unified; where the one who was waited for lost most time, if that is known
  DelayOfWait why = {};            // of the one at `cause`

  /// More severe first; equal ones by time, rank, thread, and by the one who was waited for.
  bool is_before(const WaitInstance& other) const;
};

/// Waits of one kind.
struct InstancesOfKind {
  WaitStatistics statistics;
  std::vector<WaitInstance> worst;  // most severe first
};

/// By metric, in the order of the catalogue.
using Instances = std::map<Metric, InstancesOfKind, InReportOrder>;

/// Collects the waits of one analysis process.
class InstanceCollector {
 public:
  /// Keeps the `most` most severe instances of each kind.
  explicit InstanceCollector(std::size_t most) : most_(most) {}

  void add(const WaitInstance& instance);
  /// Takes over what was collected of one process. Thread-safe.
  void merge(const InstanceCollector& other);
  std::size_t most() const { return most_; }

  /// What was collected in all analysis processes: the statistics at process 0, the most severe instances everywhere.
  /// Nothing is left here then. Collective over the analysis processes.
  Instances gather(Exchange& exchange);

 private:
  struct OfKind {
    WaitStatistics statistics;
    std::vector<WaitInstance> heap;  // the least severe on top
  };
  Instances take_own();
  Instances gather_all(Exchange& exchange) const;
  void keep(OfKind& kind, const WaitInstance& instance) const;

  std::size_t most_;
  std::map<Metric, OfKind, InReportOrder> kinds_;
  std::mutex mutex_;
};

/// Turns own call paths of waits and causes into unified ones where their processes are hosted, and fills in world
/// ranks. The result is complete at process 0. Collective over the analysis processes.
void unify_paths(const Trace& trace, const UnifiedTree& unified, Instances& instances);

}  // namespace tarry
