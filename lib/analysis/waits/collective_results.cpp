// collective_results.cpp -- books what the collective patterns found, and the counts and bytes of collectives.
#include "analysis/waits/collective_metrics.hpp"
#include "base/text/text.hpp"
#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

// A file is opened by MPI_File_open; everything else that is created is a communicator.
bool opens_file(const RankContext& context, const MpiCall& call) {
  const std::string& region = context.trace.regions().name(context.rank.tree[call.path].region);
  return plain_name(region).starts_with("mpi_file_");
}

CollectiveMetrics booked_as(const RankContext& context, const Collective& part, const CollectiveWait& found,
                            const MpiCall& call) {
  CollectiveMetrics booked = metrics_of(part);
  if (booked.wait == Metric::kCommCreationWait && opens_file(context, call)) booked.wait = Metric::kFileCreationWait;
  if (found.is_pairwise) booked.completion = Metric::kNone;
  return booked;
}

// What moves data, or would if there were any.
bool is_operation(const Collective& part) {
  return part.kind != CollectiveKind::kInit && part.kind != CollectiveKind::kFinalize &&
         part.operation < CollectiveOp::kCreateHandle;
}

// An operation without payload is a synchronisation, else a communication by the direction of its data.
Metric count_metric(const Collective& part) {
  if (part.sent && part.received) return Metric::kCommsExchange;
  if (part.sent) return Metric::kCommsSource;
  return part.received ? Metric::kCommsDestination : Metric::kSyncsCollective;
}

// Its call path is known where its process is hosted.
WaitCause cause_of(const RankContext& context, const CollectiveWait& found) {
  if (!context.instances) return {};
  return {.rank = context.trace.index_of(found.cause), .collective = found.cause_index};
}

}  // namespace

// Waits where memory is given, taken or given back are those of a barrier.
static CollectiveMetrics shmem_metrics_of(const Collective& part) {
  switch (part.kind) {
    case CollectiveKind::kBarrier:
      if (part.operation >= CollectiveOp::kCreateHandle) return {Metric::kShmemMemoryWait, Metric::kNone};
      return {Metric::kShmemBarrierWait, Metric::kShmemBarrierCompletion};
    case CollectiveKind::kOneToAll: return {Metric::kShmemLateBroadcast, Metric::kNone};
    case CollectiveKind::kAllToAll: return {Metric::kShmemNxnWait, Metric::kShmemNxnCompletion};
    case CollectiveKind::kInit: return {Metric::kNone, Metric::kShmemInitCompletion};
    case CollectiveKind::kFinalize: return {Metric::kShmemFinalizeWait, Metric::kNone};
    default: return {};
  }
}

CollectiveMetrics metrics_of(const Collective& part) {
  if (part.is_shmem) return shmem_metrics_of(part);
  if (part.is_nonblocking) return {Metric::kCollectiveRequestWait, Metric::kNone};
  switch (part.kind) {
    case CollectiveKind::kBarrier: return {Metric::kBarrierWait, Metric::kBarrierCompletion};
    case CollectiveKind::kOneToAll: return {Metric::kLateBroadcast, Metric::kNone};
    case CollectiveKind::kAllToAll: return {Metric::kNxnWait, Metric::kNxnCompletion};
    case CollectiveKind::kAllToOne: return {Metric::kEarlyReduce, Metric::kNone};
    case CollectiveKind::kPrefix: return {Metric::kEarlyScan, Metric::kNone};
    case CollectiveKind::kInit: return {Metric::kNone, Metric::kInitCompletion};
    case CollectiveKind::kFinalize: return {Metric::kFinalizeWait, Metric::kNone};
    case CollectiveKind::kVector: return {Metric::kNxnWait, Metric::kNone};
    case CollectiveKind::kNeighborhood: return {Metric::kNeighborWait, Metric::kNone};
    case CollectiveKind::kCreation: return {Metric::kCommCreationWait, Metric::kNone};
    case CollectiveKind::kUnanalysed: break;
  }
  return {};
}

void collective_results(const RankContext& context) {
  for (const Collective& part : context.rank.collectives) {
    if (!part.comm.is_valid() || !context.compatibility.is_counted(part)) continue;
    const MpiCall& call = context.rank.calls[part.call];
    const CollectiveWait& found = context.found(part);
    const CollectiveMetrics booked = booked_as(context, part, found, call);
    if (booked.wait != Metric::kNone)
      context.add_wait(call, booked.wait, part.begin, found.wait, cause_of(context, found));
    const Ticks completion = context.counted(call.thread, part.end - found.completion, part.end);
    if (booked.completion != Metric::kNone) context.add(call, booked.completion, static_cast<double>(completion));
    if (!context.counts(call.thread, part.end)) continue;
    if (!is_operation(part)) continue;
    if (!part.is_shmem) context.add(call, count_metric(part), 1);
    context.add(call, Metric::kBytesOut, static_cast<double>(part.sent));
    context.add(call, Metric::kBytesIn, static_cast<double>(part.received));
  }
}

}  // namespace tarry
