// collective_scan.cpp -- records of collective operations.
#include "replay/scan/thread_scan.hpp"

#include <algorithm>
#include <utility>

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
    case CollectiveOp::kAlltoallv:
    case CollectiveOp::kAlltoallw: return CollectiveKind::kVector;
    case CollectiveOp::kCreateHandle: return CollectiveKind::kCreation;
    default: return CollectiveKind::kUnanalysed;
  }
}

}  // namespace

// Fills in what both kinds of completion records hold; false if that is nothing to analyse.
template <class End>
bool ThreadScan::describe(Collective& collective, Ticks time, const End& end, CallIndex call, RegionId started_in) {
  const RegionClass& facts = process_.regions[started_in];
  // Freeing handles moves no data, and no process needs to wait for it. What MPI_Init creates exists when it is left.
  if (end.operation >= CollectiveOp::kCreateHandle &&
      (end.operation != CollectiveOp::kCreateHandle || !facts.is_creation))
    return false;
  if (!process_.communicators.is_valid(end.comm)) {
    fault(Fault::kUndefinedReference, "communicator");
    return false;
  }
  if (process_.leads_outside(end.comm)) return false;
  collective.end = time;
  collective.call = call;
  collective.thread = number_;
  collective.comm = end.comm;
  collective.root = end.root;
  collective.sent = end.sent;
  collective.received = end.received;
  collective.operation = end.operation;
  collective.kind = facts.is_neighborhood ? CollectiveKind::kNeighborhood : kind_of(end.operation);
  return true;
}

void ThreadScan::collective_partners(const record::MpiCollectivePartners& partners) {
  if (!is_in_mpi() || partners.first >= CommRank::kNone - 64) return;
  if (!masks_.is_valid()) masks_ = rank_.partner_masks.next_id();
  rank_.partner_masks.push_back({partners.mask, static_cast<std::uint32_t>(partners.first), false});
}

// The masks right before the record of an operation belong to it.
MaskIndex ThreadScan::take_masks() {
  if (masks_.is_valid()) rank_.partner_masks.back().is_last = true;
  return std::exchange(masks_, {});
}

void ThreadScan::collective_end(Ticks time, const record::MpiCollectiveEnd& end) {
  const MaskIndex masks = take_masks();
  if (!is_in_mpi()) return;
  Collective collective;
  collective.masks = masks;
  if (!describe(collective, time, end, current_call(), stack_.back().region)) return;
  // Where the BEGIN record is missing, the latest one is that of an operation before.
  collective.begin = collective.started = std::max(collective_begin_, stack_.back().enter);
  collective.start_call = collective.call;
  rank_.collectives.push_back(collective);
  if (process_.regions[stack_.back().region].is_spawn)
    current_spawn().root = process_.communicators.world_rank(collective.comm, end.root, rank_.rank);
}

// Of the call that the innermost region is.
Spawn& ThreadScan::current_spawn() {
  const CallIndex call = current_call();
  if (rank_.spawns.empty() || rank_.spawns.back().call != call) rank_.spawns.push_back({.call = call});
  return rank_.spawns.back();
}

void ThreadScan::comm_created(const record::CommCreate& created) {
  if (!is_in_mpi() || !process_.regions[stack_.back().region].is_spawn) return;
  if (!process_.communicators.is_valid(created.comm)) return fault(Fault::kUndefinedReference, "communicator");
  current_spawn().comm = created.comm;
}

// Operations of a communicator match in the order in which they are started: the place is taken here.
void ThreadScan::collective_request(Ticks time, const record::NonBlockingCollectiveRequest& record) {
  const MaskIndex masks = take_masks();
  if (!is_in_mpi()) return;
  PendingRequest& request = process_.requests.insert(record.request);
  request = {.kind = PendingRequest::Kind::kCollective,
             .collective = rank_.collectives.next_id(),
             .region = stack_.back().region};
  Collective collective;
  collective.started = time;
  collective.start_call = current_call();
  collective.is_nonblocking = true;
  collective.masks = masks;
  rank_.collectives.push_back(collective);
}

void ThreadScan::finish(Ticks time, CallIndex call, const record::NonBlockingCollectiveComplete& end) {
  const PendingRequest* request = process_.requests.find(end.request);
  if (!request || request->kind != PendingRequest::Kind::kCollective)
    return fault(Fault::kUnknownRequest, "completion of a collective");
  Collective& collective = rank_.collectives[request->collective];
  if (call.is_valid() && describe(collective, time, end, call, request->region)) {
    const MpiCall& completing = rank_.calls[call];
    collective.begin = completing.call == CallClass::kTest ? collective.end : completing.enter;
    const PollRunIndex polls = rank_.polls_before(call);
    if (polls.is_valid() && process_.keeps.poll_gaps)
      collective.first_poll = rank_.polls[rank_.poll_runs[polls].first].enter;
  }
  process_.requests.erase(end.request);
}

// Init and finalize synchronise all processes of a world; only the first of each counts.
void ThreadScan::synchronise_all(const Frame& frame, CallClass call, Ticks time) {
  const CollectiveKind kind = call == CallClass::kInit ? CollectiveKind::kInit : CollectiveKind::kFinalize;
  bool& is_known = kind == CollectiveKind::kInit ? process_.has_init : process_.has_finalize;
  if (std::exchange(is_known, true)) return;
  const CallIndex index = frame.call.is_valid() ? frame.call : add_call(frame);
  rank_.calls[index].set_leave(time);
  Collective collective;
  collective.begin = collective.started = frame.enter;
  collective.end = time;
  collective.call = collective.start_call = index;
  collective.kind = kind;
  collective.thread = number_;
  collective.comm = kind == CollectiveKind::kInit ? kInitComm : kFinalizeComm;
  rank_.collectives.push_back(collective);
}

}  // namespace tarry
