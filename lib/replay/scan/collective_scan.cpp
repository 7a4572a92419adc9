// collective_scan.cpp -- records of collective operations.
#include "replay/scan/collective_scan.hpp"

#include <algorithm>
#include <utility>

namespace tarry {
namespace {

CollectiveKind kind_of(CollectiveOp operation) {
  switch (operation) {
    case CollectiveOp::kAllocate:
    case CollectiveOp::kDeallocate:
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
bool CollectiveScan::describe(Collective& collective, Ticks time, const End& end, CallIndex call, RegionId started_in) {
  const RegionClass& facts = thread_.process.regions[started_in];
  // Freeing handles moves no data, and no process needs to wait for it. What MPI_Init creates exists when it is left.
  if (!facts.is_shmem && end.operation >= CollectiveOp::kCreateHandle &&
      (end.operation != CollectiveOp::kCreateHandle || !facts.is_creation))
    return false;
  if (!thread_.process.communicators.is_valid(end.comm)) {
    thread_.fault(Fault::kUndefinedReference, "communicator");
    return false;
  }
  if (thread_.process.leads_outside(end.comm)) return false;
  collective.end = time;
  collective.call = call;
  collective.thread = thread_.number;
  collective.comm = end.comm;
  collective.root = end.root;
  collective.sent = end.sent;
  collective.received = end.received;
  collective.operation = end.operation;
  collective.is_shmem = facts.is_shmem;
  collective.kind = facts.is_neighborhood ? CollectiveKind::kNeighborhood : kind_of(end.operation);
  return true;
}

void CollectiveScan::add_partners(const record::MpiCollectivePartners& partners) {
  if (!thread_.is_in_mpi() || partners.first >= CommRank::kNone - 64) return;
  if (!masks_.is_valid()) masks_ = thread_.rank.partner_masks.next_id();
  thread_.rank.partner_masks.push_back({partners.mask, static_cast<std::uint32_t>(partners.first), false});
}

// The masks right before the record of an operation belong to it.
MaskIndex CollectiveScan::take_masks() {
  if (masks_.is_valid()) thread_.rank.partner_masks.back().is_last = true;
  return std::exchange(masks_, {});
}

void CollectiveScan::end(Ticks time, const record::MpiCollectiveEnd& end) {
  const MaskIndex masks = take_masks();
  if (!thread_.is_in_mpi()) return;
  Collective collective;
  collective.masks = masks;
  if (!describe(collective, time, end, thread_.current_call(), thread_.open.innermost().region)) return;
  // Where the BEGIN record is missing, the latest one is that of an operation before.
  collective.begin = collective.started = std::max(begin_, thread_.open.innermost().enter);
  collective.start_call = collective.call;
  thread_.rank.collectives.push_back(collective);
  if (thread_.facts().is_spawn)
    current_spawn().root = thread_.process.communicators.world_rank(collective.comm, end.root, thread_.rank.rank);
}

void CollectiveScan::end_on_window(Ticks time, const record::RmaCollectiveEnd& end, CommId comm) {
  this->end(time,
            {.operation = end.operation, .comm = comm, .root = end.root, .sent = end.sent, .received = end.received});
}

// The spawn record of the innermost MPI call, made when it is first asked for.
Spawn& CollectiveScan::current_spawn() {
  const CallIndex call = thread_.current_call();
  if (thread_.rank.spawns.empty() || thread_.rank.spawns.back().call != call)
    thread_.rank.spawns.push_back({.call = call});
  return thread_.rank.spawns.back();
}

void CollectiveScan::comm_created(const record::CommCreate& created) {
  if (!thread_.is_in_mpi() || !thread_.facts().is_spawn) return;
  if (!thread_.process.communicators.is_valid(created.comm))
    return thread_.fault(Fault::kUndefinedReference, "communicator");
  current_spawn().comm = created.comm;
}

// Operations of a communicator match in the order in which they are started: the place is taken here.
void CollectiveScan::start(Ticks time, const record::NonBlockingCollectiveRequest& record) {
  const MaskIndex masks = take_masks();
  if (!thread_.is_in_mpi()) return;
  PendingRequest& request = thread_.process.requests.insert(record.request);
  request = {.kind = PendingRequest::Kind::kCollective,
             .collective = thread_.rank.collectives.next_id(),
             .region = thread_.open.innermost().region};
  Collective collective;
  collective.started = time;
  collective.start_call = thread_.current_call();
  collective.is_nonblocking = true;
  collective.masks = masks;
  thread_.rank.collectives.push_back(collective);
}

void CollectiveScan::finish(Ticks time, CallIndex call, const record::NonBlockingCollectiveComplete& end) {
  const PendingRequest* request = thread_.process.requests.find(end.request);
  if (!request || request->kind != PendingRequest::Kind::kCollective)
    return thread_.fault(Fault::kUnknownRequest, "completion of a collective");
  Collective& collective = thread_.rank.collectives[request->collective];
  if (call.is_valid() && describe(collective, time, end, call, request->region)) {
    const MpiCall& completing = thread_.rank.calls[call];
    collective.begin = completing.call == CallClass::kTest ? collective.end : completing.enter;
    const PollRunIndex polls = thread_.rank.polls_before(call);
    if (polls.is_valid() && thread_.process.keeps.poll_gaps)
      collective.first_poll = thread_.rank.polls[thread_.rank.poll_runs[polls].first].enter;
  }
  thread_.process.requests.erase(end.request);
}

// Init and finalize synchronise all processes of a world; only the first of each counts.
void CollectiveScan::synchronise_all(OpenVisit& visit, CallClass call, Ticks time) {
  const CollectiveKind kind = call == CallClass::kInit ? CollectiveKind::kInit : CollectiveKind::kFinalize;
  bool& is_known = kind == CollectiveKind::kInit ? thread_.process.has_init : thread_.process.has_finalize;
  if (std::exchange(is_known, true)) return;
  const CallIndex index = thread_.call_of(visit);
  thread_.rank.calls[index].set_leave(time);
  Collective collective;
  collective.begin = collective.started = visit.enter;
  collective.end = time;
  collective.call = collective.start_call = index;
  collective.kind = kind;
  collective.is_shmem = thread_.process.regions[visit.region].is_shmem;
  collective.thread = thread_.number;
  collective.comm = kind == CollectiveKind::kInit ? kInitComm : kFinalizeComm;
  thread_.rank.collectives.push_back(collective);
}

}  // namespace tarry
