// mpi_points.cpp -- the sync points of one process in MPI calls.
#include "analysis/sync_points/mpi_points.hpp"

#include <algorithm>

#include "analysis/waits/collective_metrics.hpp"

namespace tarry {
namespace {

SyncKind kind_of(const Collective& part) {
  const WaitInfo* wait = wait_state(metrics_of(part).wait);
  return wait ? sync_kind(wait->cost) : SyncKind::kInit;
}

}  // namespace

using Record = SyncDraft::Record;

MpiPoints::MpiPoints(const Trace& trace, const FoundWaits& waits, const Rows<WindowCause>& window_causes,
                     RankIndex rank_index, const Compatibility& compatibility)
    : trace_(trace),
      waits_(waits),
      window_causes_(window_causes),
      rank_index_(rank_index),
      rank_(trace.ranks()[rank_index]),
      own_waits_(waits.ranks[rank_index]),
      compatibility_(compatibility),
      threads_(rank_.threads.size()) {
  for (OfThread& thread : threads_) thread.drafts = Rows<SyncDraft>(trace_.budget());
  trace_.prefetch_partners(rank_);
  draft_messages();
  draft_collectives();
  draft_windows();
  if (trace_.mpi_worlds().are_several()) draft_spawns();
}

void MpiPoints::draft_messages() {
  for (std::uint32_t i = 0; i < own_waits_.late_senders.size(); ++i) {
    const ReceiveIndex receive = own_waits_.late_senders[i].message;
    draft(Record::kReceive, receive, rank_.receives[receive].call, i);
  }
  for (std::uint32_t i = 0; i < own_waits_.late_probes.size(); ++i) {
    const ProbeIndex probe = own_waits_.late_probes[i].message;
    draft(Record::kProbe, probe, rank_.probes[probe].call, i);
  }
  for (const PolledWaitIndex i : own_waits_.late_polls.ids()) {
    const PolledWait& late = own_waits_.late_polls[i];
    draft(late.last.is_valid() ? Record::kPolled : Record::kPolledInCall, i, rank_.poll_runs[late.run].call);
  }
  for (std::uint32_t i = 0; i < own_waits_.late_receivers.size(); ++i) {
    const SendIndex send = own_waits_.late_receivers[i].message;
    draft(Record::kSend, send, rank_.sends[send].completion_call, i);
  }
  for (const ReceiveIndex i : rank_.receives.ids()) {
    const Receive& receive = rank_.receives[i];
    if (receive.is_matched() && waits_.ranks[rank_.sender_of(receive)].waiting_sends.has(receive.send))
      draft(Record::kReceiveStart, i, receive.request_call);
  }
  for (const SendIndex i : rank_.sends.ids()) {
    const Send& send = rank_.sends[i];
    if (send.is_matched() && waits_.ranks[rank_.receiver_of(send)].waiting_receives.has(send.receive))
      draft(Record::kSendStart, i, send.call);
  }
}

void MpiPoints::draft_collectives() {
  for (const CollectiveIndex i : rank_.collectives.ids()) {
    const Collective& part = rank_.collectives[i];
    const CollectiveWait& found = own_waits_.collectives[i];
    if (part.is_nonblocking && found.makes_wait) draft(Record::kCollectiveStart, i, part.start_call);
    if (found.is_synchronised) draft(Record::kCollective, i, part.call);
  }
}

void MpiPoints::draft_windows() {
  for (std::uint32_t i = 0; i < own_waits_.windows.size(); ++i)
    if (const WindowWait& wait = own_waits_.windows[i]; has_sync_point(wait))
      draft(Record::kWindow, WindowWaitIndex(i), rank_.window_records[wait.record].call);
  // Causes of one record follow one another: one sync point with all who waited.
  WindowRecordIndex latest;
  for (const WindowCause& cause : window_causes_) {
    const CallIndex call = rank_.window_records[cause.record].call;
    auto& lists = thread_of(call).lists;
    if (cause.record != latest) {
      draft(Record::kWindowStart, cause.record, call, lists.next_id().value);
      lists.emplace_back();
    }
    latest = cause.record;
    lists.back().push_back(cause.waiter);
  }
}

// Who takes part is known when the sync points of all are: link_spawns().
void MpiPoints::draft_spawns() {
  for (std::uint32_t i = 0; i < rank_.spawns.size(); ++i)
    if (rank_.spawns[i].comm.is_valid()) draft(Record::kSpawn, SpawnIndex(i), rank_.spawns[i].call);
}

SyncPoint MpiPoints::make(const SyncDraft& draft) {
  const std::uint32_t detail = draft.detail;
  const CallIndex call = draft.call();
  switch (draft.record()) {
    case Record::kSendStart: return late_sender_cause(rank_.sends[draft.index<SendIndex>()]);
    case Record::kReceiveStart: return late_receiver_cause(rank_.receives[draft.index<ReceiveIndex>()]);
    case Record::kReceive:
      return late_sender(call, rank_.receives[draft.index<ReceiveIndex>()], own_waits_.late_senders[detail].wait);
    case Record::kProbe:
      return late_sender(call, rank_.receives[rank_.probes[draft.index<ProbeIndex>()].receive],
                         own_waits_.late_probes[detail].wait);
    case Record::kPolled:
    case Record::kPolledInCall: return polled(draft.index<PolledWaitIndex>());
    case Record::kSend: return late_receiver(own_waits_.late_receivers[detail]);
    case Record::kCollectiveStart: return collective_start(draft.index<CollectiveIndex>());
    case Record::kCollective: return collective(draft.index<CollectiveIndex>());
    case Record::kWindowStart: return window_cause(call, SyncListIndex(detail));
    case Record::kWindow: return window(draft.index<WindowWaitIndex>());
    case Record::kSpawn: break;
  }
  return spawn(draft.index<SpawnIndex>());
}

SyncPoint MpiPoints::point_in(CallIndex call, SyncKind kind) const {
  const MpiCall& here = rank_.calls[call];
  SyncPoint point;
  point.kind = kind;
  point.enter = here.enter;
  point.total = static_cast<Ticks>(here.duration);
  point.path = here.path;
  point.position = here.position;
  return point;
}

SyncPoint MpiPoints::message_point(CallIndex call, SyncKind kind, RankIndex partner, Ticks completion) const {
  SyncPoint point = point_in(call, kind);
  point.completion = completion;
  point.with = Counterpart::process(partner);
  return point;
}

SyncPoint MpiPoints::late_sender(CallIndex call, const Receive& receive, Ticks wait) const {
  const RankIndex sender = rank_.sender_of(receive);
  const Send& send = trace_.ranks()[sender].sends[receive.send];
  const Ticks completion = rank_.calls[call].leave() - leave_of(sender, send.call);
  SyncPoint point = message_point(call, SyncKind::kLateSender, sender, std::max<Ticks>(0, completion));
  point.wait = wait;
  return point;
}

// Where the message was sent or the collective started: in the poll that ends behind that, or else in the call that
// ends the polls. What was waited there is taken off the time behind.
SyncPoint MpiPoints::polled(PolledWaitIndex index) const {
  const PolledWait& late = own_waits_.late_polls[index];
  const PollRun& run = rank_.poll_runs[late.run];
  const bool is_message = late.receive.is_valid();
  const RankIndex partner = is_message ? rank_.sender_of(rank_.receives[late.receive])
                                       : trace_.index_of(own_waits_.collectives[late.collective].cause);
  SyncPoint point = message_point(run.call, is_message ? SyncKind::kLateSender : SyncKind::kRequest, partner, 0);
  point.wait = late.wait;
  point.total = late.in_last;
  point.path = run.path;
  point.record = index;
  point.is_polled = true;
  if (late.last.is_valid()) {
    point.enter = rank_.polls[late.last].enter;
    point.position = rank_.polls[late.last].position;
  }
  return point;
}

SyncPoint MpiPoints::late_sender_cause(const Send& send) const {
  const RankIndex receiver = rank_.receiver_of(send);
  const Receive& receive = trace_.ranks()[receiver].receives[send.receive];
  const Ticks completion = rank_.calls[send.call].leave() - leave_of(receiver, receive.call);
  return message_point(send.call, SyncKind::kLateSender, receiver, std::max<Ticks>(0, completion));
}

SyncPoint MpiPoints::late_receiver(const MessageWait<SendIndex>& late) const {
  const Send& send = rank_.sends[late.message];
  const RankIndex receiver = rank_.receiver_of(send);
  const Receive& receive = trace_.ranks()[receiver].receives[send.receive];
  const Ticks after = rank_.calls[send.completion_call].leave() - leave_of(receiver, receive.request_call);
  SyncPoint point = message_point(send.completion_call, SyncKind::kLateReceiver, receiver,
                                  compatibility_.completion_after_late_receiver(after));
  point.wait = late.wait;
  return point;
}

SyncPoint MpiPoints::late_receiver_cause(const Receive& receive) const {
  const RankIndex sender = rank_.sender_of(receive);
  const Send& send = trace_.ranks()[sender].sends[receive.send];
  const Ticks completion = rank_.calls[receive.request_call].leave() - leave_of(sender, send.completion_call);
  return message_point(receive.request_call, SyncKind::kLateReceiver, sender, std::max<Ticks>(0, completion));
}

SyncPoint MpiPoints::collective(CollectiveIndex index) {
  const Collective& part = rank_.collectives[index];
  const CollectiveWait& found = own_waits_.collectives[index];
  SyncPoint point = point_in(part.call, kind_of(part));
  point.wait = found.wait;
  point.completion = found.completion;
  point.record = index;
  point.with = partners_of(part, found);
  return point;
}

// Others waited for this process to start its part.
SyncPoint MpiPoints::collective_start(CollectiveIndex index) {
  const Collective& part = rank_.collectives[index];
  SyncPoint point = point_in(part.start_call, SyncKind::kRequest);
  point.completion = std::max<Ticks>(0, rank_.calls[part.start_call].leave() - part.started);
  point.with = list_of(part.start_call, own_waits_.collectives[index].list);
  return point;
}

Counterpart MpiPoints::list_of(CallIndex call, PartnerListIndex of_world_ranks) {
  auto& lists = thread_of(call).lists;
  const SyncListIndex number = lists.next_id();
  std::vector<RankIndex>& list = lists.emplace_back();
  for (const WorldRank world_rank : waits_.lists[of_world_ranks]) list.push_back(trace_.index_of(world_rank));
  std::sort(list.begin(), list.end());
  return Counterpart::list(number);
}

Counterpart MpiPoints::partners_of(const Collective& part, const CollectiveWait& found) {
  const CommId comm = trace_.comm_of(part, rank_index_);
  if (comm >= kFinalizeComm) return Counterpart::everybody();
  if (found.partners == CollectiveWait::Partners::kEverybody) return Counterpart::communicator(comm);
  if (found.partners == CollectiveWait::Partners::kCause) return Counterpart::process(trace_.index_of(found.cause));
  return list_of(part.call, found.list);
}

SyncPoint MpiPoints::window(WindowWaitIndex index) const {
  const WindowWait& wait = own_waits_.windows[index.value];
  const WindowRecord& record = rank_.window_records[wait.record];
  SyncPoint point = point_in(record.call, SyncKind::kOneSided);
  point.wait = wait.wait;
  point.completion = std::max<Ticks>(0, record.leave - wait.begin - wait.wait);
  point.record = index;
  point.with = Counterpart::process(wait.cause_rank);
  return point;
}

SyncPoint MpiPoints::window_cause(CallIndex call, SyncListIndex list) const {
  SyncPoint point = point_in(call, SyncKind::kOneSided);
  point.completion = point.total;
  point.with = Counterpart::list(list);
  return point;
}

SyncPoint MpiPoints::spawn(SpawnIndex index) const {
  const Spawn& spawn = rank_.spawns[index.value];
  SyncPoint point = point_in(spawn.call, SyncKind::kSpawn);
  point.with = Counterpart::started(spawn.comm);
  point.is_spawn_root = spawn.root.is_valid() && trace_.index_of(spawn.root) == rank_index_;
  return point;
}

}  // namespace tarry
