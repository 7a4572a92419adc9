// idle_threads.cpp -- time in which the worker threads of a process had nothing to do.
//
// Outside parallel regions every worker is idle as long as the master runs. Of a parallel region, a thread misses what
// its part is shorter than the master's: it was not in the team (limited parallelism).
// Source: docs/METRICS.md, "Idle threads".
#include "analysis/time_hierarchy.hpp"

namespace tarry {
namespace {

constexpr double kLeastGapSeconds = 1e-10;

class IdleThreads {
 public:
  explicit IdleThreads(const RankContext& context) : context_(context), tree_(context.rank.tree) {}

  void run() {
    region_of_.assign(tree_.size(), kNoPath);
    for (PathIndex path = 0; path < tree_.size(); ++path) region_of_[path] = parallel_region(path);
    const std::vector<Ticks> of_master = times_in_regions(kMaster);
    for (const ThreadIndex t : context_.threads.ids()) {
      if (t == kMaster || context_.rank.threads[t].is_queue) continue;
      const std::vector<Ticks> of_thread = times_in_regions(t);
      find_gaps(of_master, of_thread);
      for (PathIndex path = 0; path < tree_.size(); ++path) {
        if (region_of_[path] == kNoPath) add_idle(t, path, time_of(kMaster, path));
        if (region_of_[path] == path) add_gap(t, path, of_master[path] - of_thread[path]);
      }
    }
  }

 private:
  // The outermost parallel region that a path is or lies in; kNoPath outside. Parents come before their children.
  PathIndex parallel_region(PathIndex path) const {
    const PathIndex parent = tree_[path].parent;
    if (parent != kNoPath && region_of_[parent] != kNoPath) return region_of_[parent];
    return context_.trace.regions()[tree_[path].region].thread == ThreadClass::kParallel ? path : kNoPath;
  }

  // Time of a thread in each outermost parallel region and all that it calls.
  std::vector<Ticks> times_in_regions(ThreadIndex thread) const {
    std::vector<Ticks> times(tree_.size(), 0);
    for (PathIndex path = 0; path < tree_.size(); ++path)
      if (region_of_[path] != kNoPath) times[region_of_[path]] += time_of(thread, path);
    return times;
  }

  // The parallel region counts as a whole: in one of its iterations the thread may have been longer than the master.
  void find_gaps(const std::vector<Ticks>& of_master, const std::vector<Ticks>& of_thread) {
    gaps_.clear();
    for (PathIndex path = 0; path < tree_.size(); ++path)
      if (region_of_[path] == path) gaps_.insert(unified(path), 0) += of_master[path] - of_thread[path];
  }

  PathIndex unified(PathIndex path) const { return context_.to_unified.empty() ? path : context_.to_unified[path]; }

  void add_gap(ThreadIndex thread, PathIndex path, Ticks gap) {
    if (context_.trace.seconds(*gaps_.find(unified(path))) < kLeastGapSeconds) return;
    context_.threads[thread].add(Metric::kLimitedParallelism, path, static_cast<double>(gap));
    add_idle(thread, path, gap);
  }

  void add_idle(ThreadIndex thread, PathIndex path, Ticks time) {
    context_.threads[thread].add(Metric::kIdleThreads, path, static_cast<double>(time));
    context_.threads[thread].add(Metric::kTime, path, static_cast<double>(time));
  }

  Ticks time_of(ThreadIndex thread, PathIndex path) const {
    const std::vector<Ticks>& times = context_.rank.threads[thread].time;
    return path < times.size() ? times[path] : 0;
  }

  const RankContext& context_;
  const CallTree& tree_;
  std::vector<PathIndex> region_of_;  // [call path]
  FlatMap<PathIndex, Ticks> gaps_;    // of a thread, by unified path of the parallel region
};

}  // namespace

void idle_threads(const RankContext& context) {
  // Threads that never were in a team are no OpenMP workers.
  if (context.rank.threads.size() > 1 && !context.rank.forks.empty()) IdleThreads(context).run();
}

}  // namespace tarry
