// overhead_rules.cpp -- which class of overhead a recorded time belongs to: by the metric of its region, then its name.
#include "findings/overheads/overhead_rules.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/text/text.hpp"
#include "findings/causes/wait_metrics.hpp"
#include "report/metrics/region_metrics.hpp"

namespace tarry {
namespace {

using enum Overhead;

bool contains_one_of(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.find(part) != text.npos; });
}

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return text.starts_with(start); });
}

// `name` is in lower case, without "mpi_", from here on.

Overhead message_class(std::string_view name) {
  if (name.find("sendrecv") != name.npos) return kCompletion;
  if (contains_one_of(name, {"send", "pready", "buffer_"})) return kSend;
  return contains_one_of(name, {"recv", "probe", "parrived"}) ? kReceive : kCompletion;
}

Overhead access_class(std::string_view name) {
  if (is_one_of(name, {"put", "rput"})) return kPut;
  return is_one_of(name, {"get", "rget"}) ? kGet : kAccumulate;
}

Overhead communicator_class(std::string_view name) {
  if (is_one_of(name, {"comm_rank", "comm_size", "comm_remote_size", "cart_rank", "cart_coords", "cart_shift"}))
    return kProcessorIds;
  const bool is_connecting =
      starts_with_one_of(name, {"comm_spawn", "comm_accept", "comm_connect", "comm_disconnect", "comm_join",
                                "open_port", "close_port", "publish_", "unpublish_", "lookup_"});
  return is_connecting ? kSpawn : kCommunicators;
}

// Functions that belong to no part of MPI's time.
Overhead other_mpi_class(std::string_view name) {
  if (is_one_of(name, {"group_rank", "group_size", "get_processor_name", "query_thread", "is_thread_main"}))
    return kProcessorIds;
  if (starts_with_one_of(name, {"group_"})) return kCommunicators;
  if (starts_with_one_of(name, {"session_"})) return kInitFinalize;
  return starts_with_one_of(name, {"type_", "pack", "unpack"}) ? kDataTypes : kUnidentified;
}

Overhead file_class(std::string_view name, RegionRole role) {
  if (role == RegionRole::kFileIoMetadata || contains_one_of(name, {"open", "close", "seek", "stat", "unlink", "dup"}))
    return kFileHandling;
  return contains_one_of(name, {"read", "get", "scanf"}) ? kFileRead : kFileWrite;
}

Overhead openmp_class(std::string_view name, RegionRole role) {
  if (role == RegionRole::kTaskCreate) return kTasks;
  return name.starts_with("omp_get_") ? kProcessorIds : kComputation;
}

Overhead pthread_class(std::string_view name) {
  if (name == "pthread_join") return kThreadJoin;
  if (name == "pthread_self") return kProcessorIds;
  return name.starts_with("pthread_barrier_") ? kThreadBarrier : kForkJoin;
}

// Metrics whose time is of one class, whatever the function.
constexpr struct {
  Metric metric;
  Overhead overhead;
} kWholeMetrics[] = {
    {Metric::kMpiInitExit, kInitFinalize},
    {Metric::kMpiMgmtFile, kFileHandling},
    {Metric::kMpiMgmtWindow, kWindows},
    {Metric::kMpiSyncCollective, kBarrier},
    {Metric::kMpiRmaSyncActive, kActiveTarget},
    {Metric::kMpiRmaSyncPassive, kPassiveTarget},
    {Metric::kMpiCollective, kCollective},
    {Metric::kOmpManagement, kForkJoin},
    {Metric::kOmpFork, kForkJoin},
    {Metric::kOmpExplicitBarrier, kThreadBarrier},
    {Metric::kOmpImplicitBarrier, kThreadBarrier},
    {Metric::kOmpCritical, kThreadLock},
    {Metric::kOmpLockApi, kThreadLock},
    {Metric::kOmpOrdered, kThreadLock},
    {Metric::kOmpTaskWait, kTaskWait},
    {Metric::kOmpFlush, kFlush},
    {Metric::kPthreadLockApi, kThreadLock},
    {Metric::kPthreadRwlock, kThreadLock},
    {Metric::kPthreadBarrier, kThreadBarrier},
    {Metric::kPthreadSemaphore, kCondition},
    {Metric::kPthreadConditional, kCondition},
    {Metric::kAcceleratorManagement, kDeviceControl},
    {Metric::kAcceleratorLaunch, kDeviceControl},
    {Metric::kAcceleratorTransfer, kDeviceTransfer},
    {Metric::kAcceleratorSynchronization, kDeviceWait},
    {Metric::kOverhead, kUnidentified},
};

Overhead class_by_name(const RegionKind& region, Metric time) {
  const std::string plain = plain_name(region.name);
  const std::string_view name = std::string_view(plain).substr(plain.starts_with("mpi_") ? 4 : 0);
  switch (time) {
    case Metric::kMpi: return other_mpi_class(name);
    case Metric::kMpiMgmtComm: return communicator_class(name);
    case Metric::kMpiPointToPoint: return message_class(name);
    case Metric::kMpiRmaCommunication: return access_class(name);
    case Metric::kMpiIoIndividual:
    case Metric::kMpiIoCollective: return name.find("read") != name.npos ? kFileRead : kFileWrite;
    case Metric::kIoTime: return file_class(name, region.role);
    case Metric::kPthreadTime:
    case Metric::kPthreadManagement: return pthread_class(name);
    default: return openmp_class(name, region.role);
  }
}

struct CountedClass {
  std::string_view counter;
  Overhead overhead;
};

constexpr CountedClass kCounters[] = {
    {"PAPI_L1_TCM", kCacheL1},    {"PAPI_L1_DCM", kCacheL1},     {"PAPI_L1_ICM", kCacheL1},
    {"PAPI_L2_TCM", kCacheL2},    {"PAPI_L2_DCM", kCacheL2},     {"PAPI_L2_ICM", kCacheL2},
    {"PAPI_L3_TCM", kCacheL3},    {"PAPI_L3_DCM", kCacheL3},     {"PAPI_L3_ICM", kCacheL3},
    {"PAPI_TLB_TL", kTlb},        {"PAPI_TLB_DM", kTlb},         {"PAPI_TLB_IM", kTlb},
    {"page-faults", kPageFaults}, {"minor-faults", kPageFaults}, {"major-faults", kPageFaults},
    {"ru_minflt", kPageFaults},   {"ru_majflt", kPageFaults},
};

}  // namespace

Overhead overhead_of(const ReportRegion& region) {
  const RegionKind kind = kind_of(region);
  const Metric time = metrics_of(kind).time;
  for (const auto& [metric, overhead] : kWholeMetrics)
    if (metric == time) return overhead;
  return class_by_name(kind, time);
}

Overhead overhead_of_wait(std::string_view metric, Overhead own) {
  if (const WaitFamily family = wait_family(metric); family == WaitFamily::kDevice || family == WaitFamily::kHost)
    return kDeviceWait;
  if (is_within(own, kSynchronization)) return own;
  if (is_within(own, kPointToPoint)) return metric == "mpi_icoll_wait" ? kCollectiveWait : kMessageWait;
  if (own == kCollective) return kCollectiveWait;
  if (is_within(own, kRemoteAccess)) return metric.ends_with("late_post") ? kActiveTarget : kPassiveTarget;
  return own == kComputation ? kMessageWait : kSetupWait;
}

std::optional<Overhead> overhead_of_counter(std::string_view counter) {
  const auto* const found = std::ranges::find(kCounters, counter, &CountedClass::counter);
  if (found == std::end(kCounters)) return std::nullopt;
  return found->overhead;
}

std::string counters_with_overhead() {
  std::string names;
  for (const CountedClass& each : kCounters) names.append(names.empty() ? "" : ", ").append(each.counter);
  return names;
}

}  // namespace tarry
