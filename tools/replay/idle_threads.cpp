// idle_threads.cpp -- time in which the worker threads of a process had nothing to do.
//
// Outside parallel regions every worker is idle as long as the master runs. Of a parallel region, a thread misses what
// its part is shorter than the master's: it was not in the team (limited parallelism).
// Source: docs/METRICS.md, "Idle threads".
#include "time_hierarchy.hpp"

namespace tarry {
namespace {

constexpr double kLeastGapSeconds = 1e-10;

class IdleThreads {
 public:
  explicit IdleThreads(const RankContext& context) : context_(context), tree_(context.rank.tree) {}

  void run() {
    for (PathIndex path = 0; path < tree_.size(); ++path)
      if (tree_[path].parent == kNoPath) visit(path);
  }

 private:
  void visit(PathIndex path) {
    const bool is_parallel = context_.world.regions()[tree_[path].region].thread == ThreadClass::kParallel;
    for (std::size_t t = 1; t < context_.threads.size(); ++t)
      is_parallel ? add_gap(t, path) : add_idle(t, path, time_of(0, path));
    if (is_parallel) return;
    for (PathIndex child = tree_[path].first_child; child != kNoPath; child = tree_[child].next_sibling) visit(child);
  }

  void add_gap(std::size_t thread, PathIndex path) {
    const Ticks gap = inclusive_time(0, path) - inclusive_time(thread, path);
    if (context_.world.seconds(gap) < kLeastGapSeconds) return;
    context_.threads[thread].add(Metric::kLimitedParallelism, path, static_cast<double>(gap));
    add_idle(thread, path, gap);
  }

  void add_idle(std::size_t thread, PathIndex path, Ticks time) {
    context_.threads[thread].add(Metric::kIdleThreads, path, static_cast<double>(time));
    context_.threads[thread].add(Metric::kTime, path, static_cast<double>(time));
  }

  Ticks time_of(std::size_t thread, PathIndex path) const {
    const std::vector<Ticks>& times = context_.rank.threads[thread].time;
    return path < times.size() ? times[path] : 0;
  }

  Ticks inclusive_time(std::size_t thread, PathIndex path) const {
    Ticks time = time_of(thread, path);
    for (PathIndex child = tree_[path].first_child; child != kNoPath; child = tree_[child].next_sibling)
      time += inclusive_time(thread, child);
    return time;
  }

  const RankContext& context_;
  const CallTree& tree_;
};

}  // namespace

void idle_threads(const RankContext& context) {
  // Threads that never were in a team are no OpenMP workers.
  if (context.rank.threads.size() > 1 && !context.rank.forks.empty()) IdleThreads(context).run();
}

}  // namespace tarry
