// sync_points.cpp -- builds the skeleton of synchronisations of every process.
#include "analysis/sync_points/sync_points.hpp"

#include <algorithm>

#include "base/arrays/sort_runs.hpp"
#include "analysis/sync_points/link_spawns.hpp"
#include "analysis/sync_points/link_threads.hpp"
#include "analysis/sync_points/mpi_points.hpp"
#include "analysis/sync_points/sync_exchange.hpp"
#include "analysis/sync_points/thread_points.hpp"

namespace tarry {
namespace {

// Notes where the sync point of a draft is, by its record. Spawns are not looked up.
void note_place(SyncRecordIndex& index, const SyncDraft& draft, const SyncPlace& at) {
  using Record = SyncDraft::Record;
  switch (draft.record()) {
    case Record::kSendStart: return index.send_starts.add(draft.index<SendIndex>(), at);
    case Record::kReceiveStart: return index.receive_starts.add(draft.index<ReceiveIndex>(), at);
    case Record::kCollectiveStart: return index.collective_starts.add(draft.index<CollectiveIndex>(), at);
    case Record::kWindowStart: return index.window_starts.add(draft.index<WindowRecordIndex>(), at);
    case Record::kReceive: return index.receives.add(draft.index<ReceiveIndex>(), at);
    case Record::kProbe: return index.probes.add(draft.index<ProbeIndex>(), at);
    case Record::kSend: return index.sends.add(draft.index<SendIndex>(), at);
    case Record::kCollective: return index.collectives.add(draft.index<CollectiveIndex>(), at);
    case Record::kPolled:
    case Record::kPolledInCall: return index.polled.add(draft.index<PolledWaitIndex>(), at);
    case Record::kWindow: return index.windows.add(draft.index<WindowWaitIndex>(), at);
    case Record::kSpawn: break;
  }
}

// Puts the sync points of one thread in order.
void arrange(ThreadIndex thread, MpiPoints& mpi, const ThreadPoints& between, SyncPoints& into,
             SyncRecordIndex& index) {
  Rows<SyncDraft>& drafts = mpi.drafts(thread);
  sort_runs(drafts, std::less<>());  // records of a kind are in order, mostly
  for (const SyncDraft& draft : drafts) {
    const SyncIndex at = into.points.next_id();
    if (draft.is_of_thread()) {
      into.points.push_back(between.of(draft));
      into.has_locks |= is_hand_over(between.of(draft).kind);
      continue;
    }
    note_place(index, draft, {thread, at});
    into.points.push_back(mpi.make(draft));
    if (draft.record() != SyncDraft::Record::kCollective) continue;
    if (into.points.back().kind == SyncKind::kInit) into.init = at;
    if (into.points.back().kind == SyncKind::kFinalize) into.finalize = at;
  }
  into.points.finish();
  drafts.clear();
  into.lists = mpi.take_lists(thread);
}

ThreadSyncPoints build(const LogicalRank& rank, MpiPoints mpi, ThreadPoints between, std::span<LockLog> locks,
                       SyncRecordIndex& index) {
  ThreadSyncPoints threads(rank.threads.size());
  for (const ThreadIndex t : threads.ids()) {
    threads[t].points = Rows<SyncPoint>(rank.calls.budget());
    between.make(t, locks.empty() ? nullptr : &locks[t.value], mpi.drafts(t));
    if (!locks.empty()) locks[t.value].clear();
    arrange(t, mpi, between, threads[t], index);
    threads[t].first_time = rank.threads[t].first_time;
    threads[t].last_time = rank.threads[t].last_time;
    threads[t].log_end = rank.threads[t].log.end();
  }
  index.finish();
  return threads;
}

// Index of a partner's record in the process that hosts it.
template <class Id>
Id origin(const Indexed<Id, std::vector<Id>>& origins, Id index) {
  return origins.empty() ? index : origins[index];
}

// Connects every wait with the sync point of the one who caused it.
class Linker {
 public:
  Linker(const Trace& trace, const FoundWaits& waits, AllSyncPoints& all, const SyncRecordIndices& index)
      : trace_(trace), waits_(waits), all_(all), index_(index) {}

  void link(RankIndex rank_index) {
    const LogicalRank& rank = trace_.ranks()[rank_index];
    const SyncRecordIndex& here = index_[rank_index];
    const auto link_to_send = [&](const Receive& receive, SyncPlace at) {
      const RankIndex sender = rank.sender_of(receive);
      const SendIndex record = origin(trace_.ranks()[sender].send_origin, receive.send);
      set(rank_index, at, sender, index_[sender].send_starts.find(record));
    };
    here.receives.for_each([&](ReceiveIndex i, SyncPlace at) { link_to_send(rank.receives[i], at); });
    here.probes.for_each([&](ProbeIndex i, SyncPlace at) { link_to_send(rank.receives[rank.probes[i].receive], at); });
    const auto link_to_cause = [&](CollectiveIndex i, SyncPlace at) {
      const CollectiveWait& found = waits_.ranks[rank_index].collectives[i];
      const RankIndex cause = trace_.index_of(found.cause);
      if (!cause.is_valid()) return;
      const bool is_request = rank.collectives[i].is_nonblocking;
      const auto& points = is_request ? index_[cause].collective_starts : index_[cause].collectives;
      set(rank_index, at, cause, points.find(found.cause_index));
    };
    here.polled.for_each([&](PolledWaitIndex i, SyncPlace at) {
      const PolledWait& late = waits_.ranks[rank_index].late_polls[i];
      if (late.receive.is_valid()) link_to_send(rank.receives[late.receive], at);
      else link_to_cause(late.collective, at);
    });
    here.sends.for_each([&](SendIndex i, SyncPlace at) {
      const Send& send = rank.sends[i];
      const RankIndex receiver = rank.receiver_of(send);
      const ReceiveIndex record = origin(trace_.ranks()[receiver].receive_origin, send.receive);
      set(rank_index, at, receiver, index_[receiver].receive_starts.find(record));
    });
    here.collectives.for_each(link_to_cause);
    here.windows.for_each([&](WindowWaitIndex i, SyncPlace at) {
      const WindowWait& wait = waits_.ranks[rank_index].windows[i.value];
      set(rank_index, at, wait.cause_rank, index_[wait.cause_rank].window_starts.find(wait.cause_record));
    });
    link_threads(trace_, waits_, rank_index, all_[rank_index]);
  }

 private:
  void set(RankIndex rank, SyncPlace at, RankIndex cause_rank, const SyncPlace* cause) {
    if (cause) all_[rank][at.thread].points[at.point].set_cause({cause_rank, cause->thread, cause->point});
  }
  const Trace& trace_;
  const FoundWaits& waits_;
  AllSyncPoints& all_;
  const SyncRecordIndices& index_;
};

}  // namespace

bool SyncPoint::is_collective() const {
  if (kind == SyncKind::kInit) return true;
  const WaitKind wait_state = wait_kind(kind);
  if (wait_state == WaitKind::kNone) return false;
  const WaitSource source = cost_of(wait_state).source;
  return source == WaitSource::kCollectives || source == WaitSource::kRequests;
}

const char* name_of(SyncKind kind) {
  switch (kind) {
    case SyncKind::kInit: return "init";
    case SyncKind::kFork: return "fork";
    case SyncKind::kThreadStart: return "thread_start";
    case SyncKind::kSpawn: return "spawn";
    default: return cost_of(wait_kind(kind)).label;
  }
}

bool have_locks(const ThreadSyncPoints& threads) {
  return std::any_of(threads.begin(), threads.end(), [](const SyncPoints& points) { return points.has_locks; });
}

bool has_partner(const Trace& trace, const SyncPoints& all, const SyncPoint& point, RankIndex rank) {
  using Kind = Counterpart::Kind;
  switch (point.with.kind()) {
    case Kind::kProcess: return point.with.process() == rank;
    case Kind::kEverybody: return true;
    case Kind::kCommunicator: return trace.is_member(point.with.communicator(), rank);
    case Kind::kList: {
      const std::vector<RankIndex>& list = all.lists[point.with.list()];
      return std::binary_search(list.begin(), list.end(), rank);
    }
    default: return false;
  }
}

AllSyncPoints build_sync_points(const Trace& trace, const FoundWaits& waits, LockLogs locks,
                                const Compatibility& compatibility) {
  AllSyncPoints all(trace.workers(), trace.ranks().size());
  SyncRecordIndices index(trace.workers(), trace.ranks().size(), trace.budget());
  const bool is_distributed = trace.exchange().size() > 1;
  const WindowCauses window_causes = collect_window_causes(trace, waits);
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    all[r] = build(rank, MpiPoints(trace, waits, window_causes[r], r, compatibility),
                   ThreadPoints(rank, waits.ranks[r], compatibility), locks[r], index[r]);
  });
  if (is_distributed) share_cause_index(trace, index);
  trace.for_each_hosted([&](RankIndex r) { Linker(trace, waits, all, index).link(r); });
  if (is_distributed) share_points(trace, all);
  if (trace.mpi_worlds().are_several()) link_spawns(trace, all);
  return all;
}

}  // namespace tarry
