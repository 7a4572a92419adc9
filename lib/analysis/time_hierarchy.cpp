// time_hierarchy.cpp -- where the time of each call path goes: computation, MPI and its parts, OpenMP, overhead.
//
// A call path's exclusive time goes to the leaf of the time tree that its region belongs to, and to all parents of that
// leaf. Waiting times stay inside: they are parts of these values. Source: docs/METRICS.md, "Time breakdown".
#include "analysis/time_hierarchy.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.hpp"

namespace tarry {
namespace {

// Without "mpi_", lower case.
std::string mpi_stem(const std::string& name) {
  const std::string plain = plain_name(name);
  return plain.starts_with("mpi_") ? plain.substr(4) : plain;
}

bool starts_with_one_of(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}

bool is_wait_or_test(std::string_view stem) {
  return is_one_of(stem, {"wait", "waitall", "waitany", "waitsome", "test", "testall", "testany", "testsome"});
}

bool is_file_transfer(std::string_view stem) {
  return starts_with_one_of(stem, {"file_read", "file_write", "file_iread", "file_iwrite"});
}

bool is_collective_transfer(std::string_view stem) {
  return stem.find("_all") != stem.npos || stem.find("_ordered") != stem.npos;
}

Metric window_class(std::string_view stem) {
  if (is_one_of(stem, {"win_complete", "win_fence", "win_post", "win_start", "win_test", "win_wait"}))
    return Metric::kMpiRmaSyncActive;
  if (starts_with_one_of(stem, {"win_lock", "win_unlock", "win_flush"}) || stem == "win_sync")
    return Metric::kMpiRmaSyncPassive;
  return Metric::kMpiMgmtWindow;
}

bool is_put(std::string_view stem) { return is_one_of(stem, {"put", "rput"}); }
bool is_get(std::string_view stem) { return is_one_of(stem, {"get", "rget"}); }
bool is_atomic(std::string_view stem) {
  return is_one_of(stem, {"accumulate", "raccumulate", "get_accumulate", "rget_accumulate", "fetch_and_op",
                          "compare_and_swap"});
}

bool manages_communicators(std::string_view stem) {
  return starts_with_one_of(stem, {"cart_", "comm_", "dist_graph_", "graph_", "intercomm_"}) ||
         is_one_of(stem, {"cartdim_get", "graphdims_get", "dims_create", "topo_test", "open_port", "close_port",
                          "publish_name", "unpublish_name", "lookup_name"});
}

Metric class_by_name(std::string_view stem) {
  if (is_one_of(stem, {"init", "init_thread", "initialized", "finalize", "finalized"})) return Metric::kMpiInitExit;
  if (manages_communicators(stem)) return Metric::kMpiMgmtComm;
  if (is_file_transfer(stem)) return is_collective_transfer(stem) ? Metric::kMpiIoCollective : Metric::kMpiIoIndividual;
  if (stem.starts_with("file_")) return Metric::kMpiMgmtFile;
  if (stem.starts_with("win_")) return window_class(stem);
  if (is_put(stem) || is_get(stem) || is_atomic(stem)) return Metric::kMpiRmaCommunication;
  if (is_wait_or_test(stem)) return Metric::kMpiPointToPoint;
  return Metric::kNone;
}

Metric class_by_role(RegionRole role) {
  switch (role) {
    case RegionRole::kBarrier: return Metric::kMpiSyncCollective;
    case RegionRole::kPointToPoint: return Metric::kMpiPointToPoint;
    case RegionRole::kOneToAll:
    case RegionRole::kAllToOne:
    case RegionRole::kAllToAll:
    case RegionRole::kOtherCollective: return Metric::kMpiCollective;
    default: return Metric::kNone;
  }
}

void classify_mpi(const std::string& stem, RegionRole role, const Compatibility& compatibility, RegionMetrics& result) {
  const Metric by_name = class_by_name(stem);
  const Metric by_role = class_by_role(role);
  const Metric first = by_name != Metric::kNone ? by_name : by_role;
  result.times.push_back(first == Metric::kNone ? Metric::kMpi : first);
  if (compatibility.counts_by_role_too(first, by_role))
    result.times.push_back(by_role);
  if (by_name == Metric::kMpiRmaSyncActive) result.counts.push_back(Metric::kSyncsRmaActive);
  if (by_name == Metric::kMpiRmaSyncPassive) result.counts.push_back(Metric::kSyncsRmaPassive);
  if (is_put(stem)) result.counts.push_back(Metric::kCommsRmaPuts);
  if (is_get(stem)) result.counts.push_back(Metric::kCommsRmaGets);
  if (is_atomic(stem)) result.counts.push_back(Metric::kCommsRmaAtomics);
  const bool reads = stem.find("read") != stem.npos;
  if (by_name == Metric::kMpiIoIndividual)
    result.counts.push_back(reads ? Metric::kFileIndividualReads : Metric::kFileIndividualWrites);
  if (by_name == Metric::kMpiIoCollective)
    result.counts.push_back(reads ? Metric::kFileCollectiveReads : Metric::kFileCollectiveWrites);
  if (by_name == Metric::kMpiMgmtFile)
    result.counts.push_back(starts_with_one_of(stem, {"file_delete", "file_get", "file_seek"})
                                ? Metric::kFileIndividualOps
                                : Metric::kFileCollectiveOps);
}

Metric omp_class(const std::string& name, RegionRole role) {
  switch (role) {
    case RegionRole::kBarrier: return Metric::kOmpExplicitBarrier;
    case RegionRole::kImplicitBarrier: return Metric::kOmpImplicitBarrier;
    case RegionRole::kCritical:
    case RegionRole::kAtomic: return Metric::kOmpCritical;
    case RegionRole::kOrdered: return Metric::kOmpOrdered;
    case RegionRole::kTaskWait: return Metric::kOmpTaskWait;
    case RegionRole::kFlush: return Metric::kOmpFlush;
    default: break;
  }
  const bool is_lock = name.starts_with("omp_") && (name.ends_with("_lock") || name.ends_with("_nest_lock"));
  return is_lock ? Metric::kOmpLockApi : Metric::kNone;
}

Metric pthread_class(const std::string& name, const Compatibility& compatibility) {
  if (name.starts_with("pthread_rwlock_") && compatibility.has_rwlock_waits()) return Metric::kPthreadRwlock;
  if (name.starts_with("pthread_mutex_")) return Metric::kPthreadLockApi;
  if (name.starts_with("pthread_cond_")) return Metric::kPthreadConditional;
  return is_one_of(name, {"pthread_create", "pthread_join", "pthread_detach", "pthread_exit", "pthread_cancel"})
             ? Metric::kPthreadManagement
             : Metric::kPthreadTime;
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
  RegionMetrics result;
  const Region& region = regions.region(id);
  const std::string& name = regions.name(id);
  if (id == regions.buffer_flush()) {
    result.times.push_back(Metric::kOverhead);
  } else if (regions[id].is_mpi) {
    if (name != "PARALLEL") classify_mpi(mpi_stem(name), region.role, compatibility, result);
  } else if (regions[id].thread != ThreadClass::kNone) {
    if (const Metric leaf = omp_class(name, region.role); leaf != Metric::kNone) result.times.push_back(leaf);
  } else if (region.paradigm == Paradigm::kPthread) {
    result.times.push_back(pthread_class(name, compatibility));
  }
  return result;
}

void time_hierarchy(const RankContext& context, const std::vector<RegionMetrics>& classes) {
  for (const ThreadIndex t : context.threads.ids()) {
    const LogicalThread& thread = context.rank.threads[t];
    Severities& severities = context.threads[t];
    for (PathIndex path = 0; path < thread.time.size(); ++path) {
      const RegionMetrics& leaves = classes[context.rank.tree[path].region.value];
      const auto time = static_cast<double>(thread.time[path]);
      const auto visits = static_cast<double>(thread.visits[path]);
      severities.add(Metric::kTime, path, time);
      severities.add(Metric::kVisits, path, visits);
      for (const Metric count : leaves.counts) add_with_parents(severities, count, Metric::kNone, path, visits);
      const bool is_overhead = !leaves.times.empty() && leaves.times[0] == Metric::kOverhead;
      severities.add(is_overhead ? Metric::kOverhead : Metric::kExecution, path, time);
      if (is_overhead) continue;
      // The first leaf gives its time to all its parents; a second one only to those it does not share with the first.
      for (std::size_t i = 0; i < leaves.times.size(); ++i)
        for (Metric m = leaves.times[i]; m != Metric::kExecution && (i == 0 || m != Metric::kMpi);
             m = info_of(m).parent)
          severities.add(m, path, time);
      double management = path < thread.management_time.size() ? static_cast<double>(thread.management_time[path]) : 0;
      add_management(severities, thread.management_time, Metric::kOmpManagement, path);
      if (path < thread.fork_time.size())
        severities.add(Metric::kOmpFork, path, static_cast<double>(thread.fork_time[path]));
      if (leaves.times.empty()) severities.add(Metric::kComputation, path, time - management);
    }
  }
}

}  // namespace tarry
