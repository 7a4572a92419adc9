// time_hierarchy.cpp -- where the time of each call path goes: computation, MPI and its parts, OpenMP, overhead.
//
// A call path's exclusive time goes to the leaf of the time tree that its region belongs to, and to all parents of that
// leaf. Waiting times stay inside: they are parts of these values. Source: docs/METRICS.md, "Time breakdown".
#include "analysis/time_hierarchy.hpp"

namespace tarry {
namespace {

// The part of the execution time that `leaf` belongs to.
Metric below_execution(Metric leaf) {
  while (info_of(leaf).parent != Metric::kExecution) leaf = info_of(leaf).parent;
  return leaf;
}

// Fork and join time belong to the parallel region's call path, and there to management.
void add_management(Severities& severities, const std::vector<Ticks>& times, Metric metric, PathIndex path) {
  if (path < times.size())
    add_with_parents(severities, metric, Metric::kOmpTime, path, static_cast<double>(times[path]));
}

}  // namespace

void add_with_parents(Severities& severities, Metric metric, Metric last, PathIndex path, double value) {
  for (; metric != Metric::kNone; metric = info_of(metric).parent) {
    severities.add(metric, path, value);
    if (metric == last) break;
  }
}

RegionMetrics classify(const RegionTable& regions, RegionId id, const Compatibility& compatibility) {
  const Region& region = regions.region(id);
  RegionMetrics result = metrics_of({region.paradigm, region.role, regions.name(id), regions.file(id)});
  if (result.time == Metric::kPthreadRwlock && !compatibility.has_rwlock_waits()) result.time = Metric::kPthreadTime;
  if (!compatibility.has_signal_waits() && result.time == Metric::kPthreadBarrier) result.time = Metric::kPthreadTime;
  if (!compatibility.has_signal_waits() && result.time == Metric::kPthreadSemaphore)
    result.time = Metric::kPthreadSynchronization;
  if (!compatibility.counts_by_role_too(result.time, result.by_role)) result.by_role = Metric::kNone;
  return result;
}

// What each call path has read and written.
static void file_counts(const LogicalThread& thread, Severities& severities) {
  for (PathIndex path = 0; path < thread.files.size(); ++path) {
    const FileCounts& counts = thread.files[path];
    if (counts.operations == 0) continue;
    severities.add(Metric::kIoOperations, path, static_cast<double>(counts.operations));
    severities.add(Metric::kIoBytes, path, static_cast<double>(counts.read + counts.written));
    severities.add(Metric::kIoBytesRead, path, static_cast<double>(counts.read));
    severities.add(Metric::kIoBytesWritten, path, static_cast<double>(counts.written));
  }
}

// Its time is that of a device (device_times()).
static void count_visits(const LogicalThread& queue, Severities& severities) {
  for (PathIndex path = 0; path < queue.visits.size(); ++path)
    severities.add(Metric::kVisits, path, static_cast<double>(queue.visits[path]));
}

void time_hierarchy(const RankContext& context, const std::vector<RegionMetrics>& classes) {
  for (const ThreadIndex t : context.threads.ids()) {
    const LogicalThread& thread = context.rank.threads[t];
    Severities& severities = context.threads[t];
    if (thread.is_queue) {
      count_visits(thread, severities);
      continue;
    }
    file_counts(thread, severities);
    for (PathIndex path = 0; path < thread.time.size(); ++path) {
      const RegionMetrics& leaves = classes[context.rank.tree[path].region.value];
      const auto time = static_cast<double>(thread.time[path]);
      const auto visits = static_cast<double>(thread.visits[path]);
      severities.add(Metric::kTime, path, time);
      severities.add(Metric::kVisits, path, visits);
      for (const Metric count : leaves.counts) add_with_parents(severities, count, Metric::kNone, path, visits);
      const bool is_overhead = leaves.time == Metric::kOverhead;
      severities.add(is_overhead ? Metric::kOverhead : Metric::kExecution, path, time);
      if (is_overhead) continue;
      const bool is_computation = leaves.time == Metric::kComputation;
      if (!is_computation) add_with_parents(severities, leaves.time, below_execution(leaves.time), path, time);
      // What the role says beside the name gives its time only to those parents that it does not share with the name.
      for (Metric m = leaves.by_role; m != Metric::kNone && m != Metric::kMpi; m = info_of(m).parent)
        severities.add(m, path, time);
      double management = path < thread.management_time.size() ? static_cast<double>(thread.management_time[path]) : 0;
      add_management(severities, thread.management_time, Metric::kOmpManagement, path);
      if (path < thread.fork_time.size())
        severities.add(Metric::kOmpFork, path, static_cast<double>(thread.fork_time[path]));
      const double blocked = path < thread.blocked_time.size() ? static_cast<double>(thread.blocked_time[path]) : 0;
      if (!is_computation) continue;
      severities.add(Metric::kComputation, path, time - management - blocked);
      if (blocked > 0) severities.add(Metric::kBlocked, path, blocked);
    }
  }
}

}  // namespace tarry
