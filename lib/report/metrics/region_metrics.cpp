// region_metrics.cpp -- which metrics the time and the visits of a region belong to.
#include "report/metrics/region_metrics.hpp"

#include <algorithm>
#include <string>

#include "base/text/text.hpp"
#include "defs/accelerator_calls.hpp"
#include "defs/artificial_regions.hpp"

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
  return is_one_of(
      stem, {"accumulate", "raccumulate", "get_accumulate", "rget_accumulate", "fetch_and_op", "compare_and_swap"});
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

RegionMetrics mpi_metrics(const std::string& stem, RegionRole role) {
  RegionMetrics result;
  const Metric by_name = class_by_name(stem);
  result.by_role = class_by_role(role);
  result.time = by_name != Metric::kNone ? by_name : result.by_role;
  if (result.time == Metric::kNone) result.time = Metric::kMpi;
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
  return result;
}

// Without "shmem_" and "ctx_", lower case.
std::string shmem_stem(std::string_view name) {
  std::string stem = plain_name(std::string(name));
  for (const std::string_view prefix : {"shmem_", "ctx_"})
    if (stem.starts_with(prefix)) stem.erase(0, prefix.size());
  return stem;
}

Metric shmem_class_by_role(RegionRole role) {
  switch (role) {
    case RegionRole::kBarrier: return Metric::kShmemSyncCollective;
    case RegionRole::kOneToAll:
    case RegionRole::kAllToOne:
    case RegionRole::kAllToAll:
    case RegionRole::kOtherCollective: return Metric::kShmemCollective;
    case RegionRole::kRma: return Metric::kShmemRma;
    case RegionRole::kAllocate:
    case RegionRole::kDeallocate:
    case RegionRole::kReallocate: return Metric::kShmemMemory;
    default: return Metric::kShmemManagement;
  }
}

Metric shmem_class(std::string_view name, RegionRole role) {
  const std::string stem = shmem_stem(name);
  if (is_one_of(stem, {"init", "init_thread", "finalize", "start_pes", "global_exit"})) return Metric::kShmemInitExit;
  if (is_one_of(stem, {"set_lock", "clear_lock", "test_lock"})) return Metric::kShmemSyncLock;
  if (is_one_of(stem, {"quiet", "fence"})) return Metric::kShmemSyncOrder;
  if (stem.find("wait") != stem.npos || stem.ends_with("test") || stem.find("test_") != stem.npos)
    return Metric::kShmemSyncPointToPoint;
  return shmem_class_by_role(role);
}

Metric omp_class(std::string_view name, RegionRole role) {
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
  return is_lock ? Metric::kOmpLockApi : Metric::kComputation;
}

Metric pthread_class(std::string_view name) {
  if (name.starts_with("pthread_rwlock_")) return Metric::kPthreadRwlock;
  if (name.starts_with("pthread_mutex_")) return Metric::kPthreadLockApi;
  if (name.starts_with("pthread_cond_")) return Metric::kPthreadConditional;
  if (name.starts_with("pthread_barrier_")) return Metric::kPthreadBarrier;
  if (name.starts_with("sem_")) return Metric::kPthreadSemaphore;
  return is_one_of(name, {"pthread_create", "pthread_join", "pthread_detach", "pthread_exit", "pthread_cancel"})
             ? Metric::kPthreadManagement
             : Metric::kPthreadTime;
}

Metric accelerator_class(AcceleratorCall call) {
  switch (call) {
    case AcceleratorCall::kLaunch: return Metric::kAcceleratorLaunch;
    case AcceleratorCall::kTransfer: return Metric::kAcceleratorTransfer;
    case AcceleratorCall::kSynchronization: return Metric::kAcceleratorSynchronization;
    default: return Metric::kAcceleratorManagement;
  }
}

// The first one with this name, up to the last; `other` if there is none.
template <class Enum>
Enum named(std::string_view name, Enum last, Enum other) {
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i)
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  return other;
}

}  // namespace

RegionKind kind_of(const ReportRegion& region) {
  return {named(region.paradigm, kLastParadigm, Paradigm::kOther),
          named(region.role, RegionRole::kArtificial, RegionRole::kArtificial), region.name, region.module};
}

RegionMetrics metrics_of(const RegionKind& region) {
  if (region.is_mpi() && region.name == "PARALLEL") return {};
  if (region.is_mpi()) return mpi_metrics(mpi_stem(std::string(region.name)), region.role);
  if (const AcceleratorCall call = accelerator_call(region.paradigm, region.name); call != AcceleratorCall::kNone)
    return {accelerator_class(call), Metric::kNone, {}};
  if (region.is_openmp()) return {omp_class(region.name, region.role), Metric::kNone, {}};
  if (region.paradigm == Paradigm::kShmem) return {shmem_class(region.name, region.role), Metric::kNone, {}};
  if (region.paradigm == Paradigm::kPthread) return {pthread_class(region.name), Metric::kNone, {}};
  if (region.paradigm == Paradigm::kIo) return {Metric::kIoTime, Metric::kNone, {}};
  const bool is_flush = region.name == kBufferFlushName || region.name == "TRACING";
  if (region.paradigm == Paradigm::kMeasurement && is_flush) return {Metric::kOverhead, Metric::kNone, {}};
  return {};
}

}  // namespace tarry
