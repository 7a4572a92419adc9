// metrics.hpp -- every metric of an analysis report: one enumerator and one line of the catalogue each.
#pragma once

#include <cstdint>
#include <span>

namespace tarry {

enum class Metric : std::uint8_t {
  // Time, computed from the call paths' times (time_hierarchy.cpp) unless a pattern file is named in the catalogue.
  kTime, kExecution, kComputation, kMpi, kMpiManagement, kMpiInitExit, kInitCompletion, kFinalizeWait,
  kMpiMgmtComm, kCommCreationWait, kMpiMgmtFile, kFileCreationWait, kMpiMgmtWindow, kRmaWaitAtCreate, kRmaWaitAtFree,
  kMpiSynchronization, kMpiSyncCollective, kBarrierWait, kBarrierCompletion,
  kMpiRmaSynchronization, kMpiRmaSyncActive, kRmaSyncLatePost, kRmaEarlyWait, kRmaLateComplete, kRmaWaitAtFence,
  kRmaEarlyFence, kMpiRmaSyncPassive, kRmaSyncLockContention, kRmaSyncProgress,
  kMpiCommunication, kMpiPointToPoint, kLateSender, kLateSenderWrongOrder, kWrongOrderDifferent, kWrongOrderSame,
  kLateReceiver, kCollectiveRequestWait, kMpiCollective, kEarlyReduce, kEarlyScan, kLateBroadcast, kNeighborWait, kNxnWait, kNxnCompletion,
  kMpiRmaCommunication, kRmaCommLatePost, kRmaCommLockContention, kRmaCommProgress,
  kMpiIo, kMpiIoIndividual, kMpiIoCollective,
  kOmpTime, kOmpManagement, kOmpFork, kOmpSynchronization, kOmpBarrier, kOmpExplicitBarrier, kOmpExplicitBarrierWait,
  kOmpImplicitBarrier, kOmpImplicitBarrierWait, kOmpCritical, kOmpLockContentionCritical, kOmpLockApi,
  kOmpLockContentionApi, kOmpOrdered, kOmpTaskWait, kOmpFlush,
  kPthreadTime, kPthreadManagement, kPthreadSynchronization, kPthreadLockApi, kPthreadLockContentionMutex,
  kPthreadConditional, kPthreadLockContentionCondition, kPthreadRwlock, kPthreadLockContentionRwlock,
  kOverhead, kIdleThreads, kLimitedParallelism,
  // Counts and bytes.
  kVisits,
  kSyncs, kSyncsPointToPoint, kSyncsSend, kLateReceiverSyncs, kSyncsReceive, kLateSenderSyncs, kWrongOrderSyncs,
  kSyncsCollective, kSyncsRma, kSyncsRmaActive, kSyncsRmaPassive,
  kComms, kCommsPointToPoint, kCommsSend, kLateReceiverComms, kCommsReceive, kLateSenderComms, kWrongOrderComms,
  kCommsCollective, kCommsExchange, kCommsSource, kCommsDestination, kCommsRma, kCommsRmaPuts, kCommsRmaGets,
  kCommsRmaAtomics,
  kFileOps, kFileIndividualOps, kFileIndividualReads, kFileIndividualWrites, kFileCollectiveOps, kFileCollectiveReads,
  kFileCollectiveWrites,
  kBytes, kBytesPointToPoint, kBytesSent, kBytesReceived, kBytesCollective, kBytesOut, kBytesIn,
  kBytesRma, kBytesPut, kBytesGet,
  kRmaPairs, kRmaPairsUnneeded,
  // Root causes: booked where the cause is.
  kDelay, kDelayMpi, kDelayPointToPoint,
  kDelayLateSenderAll, kDelayLateSender, kDelayLateSenderLongTerm,
  kDelayLateReceiverAll, kDelayLateReceiver, kDelayLateReceiverLongTerm,
  kDelayCollective,
  kDelayBarrierAll, kDelayBarrier, kDelayBarrierLongTerm,
  kDelayAllToOneAll, kDelayAllToOne, kDelayAllToOneLongTerm,
  kDelayOneToAllAll, kDelayOneToAll, kDelayOneToAllLongTerm,
  kDelayAllToAllAll, kDelayAllToAll, kDelayAllToAllLongTerm,
  kDelayScanAll, kDelayScan, kDelayScanLongTerm,
  kDelayRequestAll, kDelayRequest, kDelayRequestLongTerm,
  kDelayCreationAll, kDelayCreation, kDelayCreationLongTerm,
  kDelayNeighborAll, kDelayNeighbor, kDelayNeighborLongTerm,
  kDelayFinalizeAll, kDelayFinalize, kDelayFinalizeLongTerm,
  kDelayOneSidedAll, kDelayOneSided, kDelayOneSidedLongTerm,
  kDelayOmp,
  kDelayThreadBarrierAll, kDelayThreadBarrier, kDelayThreadBarrierLongTerm,
  kDelayIdleThreadsAll, kDelayIdleThreads, kDelayIdleThreadsLongTerm,
  kDelayThreadLockAll, kDelayThreadLock, kDelayThreadLockLongTerm,
  // Wait states by their role in chains of waits.
  kWaitsDirectOrIndirect, kWaitsDirect, kDirectLateSender, kDirectLateReceiver,
  kWaitsIndirect, kIndirectLateSender, kIndirectLateReceiver,
  kWaitsPropagatingOrTerminal, kWaitsPropagating, kPropagatingLateSender, kPropagatingLateReceiver,
  kWaitsTerminal, kTerminalLateSender, kTerminalLateReceiver,
  // Critical path.
  kCriticalPath, kCriticalPathImbalance,
  kPerformanceImpact, kImpactCriticalPath, kCriticalPathActivities, kImbalanceImpact, kIntraPartitionImbalance,
  kInterPartitionImbalance, kNonCriticalPathActivities,
  // Computational imbalance.
  kImbalance, kImbalanceAbove, kImbalanceAboveSingle, kImbalanceBelow, kImbalanceBelowBypass, kImbalanceSingularity,
  kCount,
  kNone = kCount,
};

inline constexpr std::size_t kMetricCount = static_cast<std::size_t>(Metric::kCount);

struct MetricInfo {
  Metric metric;
  Metric parent;             // kNone: a root
  const char* unique_name;
  const char* display_name;
  const char* unit;          // "sec", "occ", "bytes"
  const char* file;          // where it is computed
  const char* description;   // one sentence
};

/// The catalogue (catalogue.cpp) in report order: parents before children, index = metric.
std::span<const MetricInfo> catalogue();
inline const MetricInfo& info_of(Metric metric) { return catalogue()[static_cast<std::size_t>(metric)]; }

}  // namespace tarry
