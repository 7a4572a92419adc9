// scan_collectives.cpp -- records of collective operations.
#include "replay/thread_scan.hpp"

#include <algorithm>

namespace tarry {
namespace {

CollectiveKind kind_of(CollectiveOp operation) {
  switch (operation) {
    case CollectiveOp::kBarrier: return CollectiveKind::kBarrier;
    case CollectiveOp::kBcast:
    case CollectiveOp::kScatter:
    case CollectiveOp::kScatterv: return CollectiveKind::kOneToAll;
    case CollectiveOp::kAllgather:
    case CollectiveOp::kAllgatherv:
    case CollectiveOp::kAlltoall:
    case CollectiveOp::kAllreduce:
    case CollectiveOp::kReduceScatter:
    case CollectiveOp::kReduceScatterBlock: return CollectiveKind::kAllToAll;
    case CollectiveOp::kGather:
    case CollectiveOp::kGatherv:
    case CollectiveOp::kReduce: return CollectiveKind::kAllToOne;
    case CollectiveOp::kScan:
    case CollectiveOp::kExscan: return CollectiveKind::kPrefix;
    default: return CollectiveKind::kUnanalysed;
  }
}

}  // namespace

void ThreadScan::collective_end(const Event& event) {
  const auto operation = static_cast<CollectiveOp>(event.fields[0]);
  // Making and freeing handles moves no data and is no operation of the application's.
  if (!is_in_mpi() || operation >= CollectiveOp::kCreateHandle) return;
  if (!process_.communicators.is_valid(event.fields[1])) return fault(Fault::kUndefinedReference, "communicator");
  Collective collective;
  // Where the BEGIN record is missing, the latest one is that of an operation before.
  collective.begin = std::max(collective_begin_, stack_.back().enter);
  collective.end = event.time;
  collective.call = current_call();
  collective.comm = static_cast<std::uint32_t>(event.fields[1]);
  collective.root = static_cast<std::uint32_t>(event.fields[2]);
  collective.sent = event.fields[3];
  collective.received = event.fields[4];
  collective.operation = operation;
  const bool is_neighborhood = process_.regions[stack_.back().region].is_neighborhood;
  collective.kind = is_neighborhood ? CollectiveKind::kUnanalysed : kind_of(operation);
  rank_.collectives.push_back(collective);
}

// Init and finalize synchronise all processes; only the first of each counts.
void ThreadScan::synchronise_all(const Frame& frame, CallClass call, Ticks time) {
  const CollectiveKind kind = call == CallClass::kInit ? CollectiveKind::kInit : CollectiveKind::kFinalize;
  for (const Collective& other : rank_.collectives)
    if (other.kind == kind) return;
  const std::uint32_t index = frame.call != kNone32 ? frame.call : add_call(frame);
  rank_.calls[index].set_leave(time);
  Collective collective;
  collective.begin = frame.enter;
  collective.end = time;
  collective.call = index;
  collective.kind = kind;
  collective.comm = kind == CollectiveKind::kInit ? kInitComm : kFinalizeComm;
  rank_.collectives.push_back(collective);
}

}  // namespace tarry
