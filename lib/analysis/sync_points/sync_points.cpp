// sync_points.cpp -- builds the skeleton of synchronisations of every process.
#include "analysis/sync_points/sync_points.hpp"

#include <algorithm>

#include "base/sort_runs.hpp"
#include "analysis/sync_points/link_spawns.hpp"
#include "analysis/sync_points/link_threads.hpp"
#include "analysis/sync_points/mpi_points.hpp"
#include "analysis/sync_points/sync_exchange.hpp"
#include "analysis/sync_points/thread_points.hpp"

namespace tarry {
namespace {

// The part of the index for one kind of record; nullptr if it is not looked up.
SyncPlaces* part_of(SyncRecordIndex& index, SyncDraft::Record record) {
  using Record = SyncDraft::Record;
  switch (record) {
    case Record::kSendStart: return &index.send_starts;
    case Record::kReceiveStart: return &index.receive_starts;
    case Record::kCollectiveStart: return &index.collective_starts;
    case Record::kWindowStart: return &index.window_starts;
    case Record::kReceive: return &index.receives;
    case Record::kProbe: return &index.probes;
    case Record::kSend: return &index.sends;
    case Record::kCollective: return &index.collectives;
    case Record::kWindow: return &index.windows;
    case Record::kSpawn: break;
  }
  return nullptr;
}

// Puts the sync points of one thread in order.
void arrange(std::uint32_t thread, MpiPoints& mpi, const ThreadPoints& between, SyncPoints& into,
             SyncRecordIndex& index) {
  Rows<SyncDraft>& drafts = mpi.drafts(thread);
  sort_runs(drafts, std::less<>());  // records of a kind are in order, mostly
  for (const SyncDraft& draft : drafts) {
    const auto at = static_cast<SyncIndex>(into.points.size());
    if (draft.is_of_thread()) {
      into.points.push_back(between.of(draft));
      into.has_locks |= between.of(draft).kind == SyncKind::kThreadLock;
      continue;
    }
    if (SyncPlaces* const places = part_of(index, draft.record())) places->add(draft.index(), {thread, at});
    into.points.push_back(mpi.make(draft));
    if (draft.record() != SyncDraft::Record::kCollective) continue;
    if (into.points.back().kind == SyncKind::kInit) into.init = at;
    if (into.points.back().kind == SyncKind::kFinalize) into.finalize = at;
  }
  into.points.finish();
  drafts.clear();
  into.lists = mpi.take_lists(thread);
}

std::vector<SyncPoints> build(const LogicalRank& rank, MpiPoints mpi, ThreadPoints between, std::span<LockLog> locks,
                              SyncRecordIndex& index) {
  std::vector<SyncPoints> threads(rank.threads.size());
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    threads[t].points = Rows<SyncPoint>(rank.calls.budget());
    between.make(t, locks.empty() ? nullptr : &locks[t], mpi.drafts(t));
    if (!locks.empty()) locks[t].clear();
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
std::uint32_t origin(const Indexed<Id, std::vector<Id>>& origins, Id index) {
  return origins.empty() ? index.value : origins[index].value;
}

// Connects every wait with the sync point of the one who caused it.
class Linker {
 public:
  Linker(const Trace& trace, const FoundWaits& waits, AllSyncPoints& all, const ParallelArray<SyncRecordIndex>& index)
      : trace_(trace), waits_(waits), all_(all), index_(index) {}

  void link(std::uint32_t rank_index) {
    const LogicalRank& rank = trace_.ranks()[rank_index];
    const SyncRecordIndex& here = index_[rank_index];
    const auto link_to_send = [&](const Receive& receive, SyncPlace at) {
      const RankIndex sender = rank.sender_of(receive);
      const std::uint32_t record = origin(trace_.ranks()[sender].send_origin, receive.send);
      set(rank_index, at, sender.value, index_[sender.value].send_starts.find(record));
    };
    here.receives.for_each([&](std::uint32_t i, SyncPlace at) { link_to_send(rank.receives[i], at); });
    here.probes.for_each(
        [&](std::uint32_t i, SyncPlace at) { link_to_send(rank.receives[rank.probes[i].receive], at); });
    here.sends.for_each([&](std::uint32_t i, SyncPlace at) {
      const Send& send = rank.sends[i];
      const RankIndex receiver = rank.receiver_of(send);
      const std::uint32_t record = origin(trace_.ranks()[receiver].receive_origin, send.receive);
      set(rank_index, at, receiver.value, index_[receiver.value].receive_starts.find(record));
    });
    here.collectives.for_each([&](std::uint32_t i, SyncPlace at) {
      const CollectiveWait& found = waits_.ranks[rank_index].collectives[i];
      const std::uint32_t cause = trace_.index_of(found.cause).value;
      if (cause == kNone32) return;
      const bool is_request = rank.collectives[i].is_nonblocking;
      const auto& points = is_request ? index_[cause].collective_starts : index_[cause].collectives;
      set(rank_index, at, cause, points.find(found.cause_index.value));
    });
    here.windows.for_each([&](std::uint32_t i, SyncPlace at) {
      const WindowWait& wait = waits_.ranks[rank_index].windows[i];
      const auto& causes = index_[wait.cause_rank.value].window_starts;
      set(rank_index, at, wait.cause_rank.value, causes.find(wait.cause_record.value));
    });
    link_threads(trace_, waits_, rank_index, all_[rank_index]);
  }

 private:
  void set(std::uint32_t rank, SyncPlace at, std::uint32_t cause_rank, const SyncPlace* cause) {
    if (!cause) return;
    SyncPoint& point = all_[rank][at.thread].points[at.point];
    point.cause_rank = cause_rank;
    point.cause_thread = static_cast<std::uint16_t>(cause->thread);
    point.cause_point = cause->point;
  }
  const Trace& trace_;
  const FoundWaits& waits_;
  AllSyncPoints& all_;
  const ParallelArray<SyncRecordIndex>& index_;
};

}  // namespace

const char* name_of(SyncKind kind) {
  switch (kind) {
    case SyncKind::kInit: return "init";
    case SyncKind::kFork: return "fork";
    case SyncKind::kThreadStart: return "thread_start";
    case SyncKind::kSpawn: return "spawn";
    default: return cost_of(wait_kind(kind)).label;
  }
}

bool have_locks(const std::vector<SyncPoints>& threads) {
  return std::any_of(threads.begin(), threads.end(), [](const SyncPoints& points) { return points.has_locks; });
}

bool has_partner(const Trace& trace, const SyncPoints& all, const SyncPoint& point, std::uint32_t rank_index) {
  using Kind = Counterpart::Kind;
  switch (point.with.kind()) {
    case Kind::kProcess: return point.with.is(Kind::kProcess, rank_index);
    case Kind::kEverybody: return true;
    case Kind::kCommunicator: return trace.is_member(CommId(point.with.as(Kind::kCommunicator)), RankIndex(rank_index));
    case Kind::kList: {
      const std::vector<std::uint32_t>& list = all.lists[point.with.as(Kind::kList)];
      return std::binary_search(list.begin(), list.end(), rank_index);
    }
    default: return false;
  }
}

AllSyncPoints build_sync_points(const Trace& trace, const FoundWaits& waits, LockLogs locks,
                                const Compatibility& compatibility) {
  AllSyncPoints all(trace.workers(), trace.ranks().size());
  Indexed<RankIndex, ParallelArray<SyncRecordIndex>> index(trace.workers(), trace.ranks().size(), trace.budget());
  const bool is_distributed = trace.exchange().size() > 1;
  const WindowCauses window_causes = collect_window_causes(trace, waits);
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    all[r] = build(rank, MpiPoints(trace, waits, window_causes[r], r.value, compatibility),
                   ThreadPoints(rank, waits.ranks[r], compatibility), locks[r], index[r]);
  });
  if (is_distributed) share_cause_index(trace, index);
  trace.for_each_hosted([&](RankIndex r) { Linker(trace, waits, all, index).link(r.value); });
  if (is_distributed) share_points(trace, all);
  if (trace.mpi_worlds().are_several()) link_spawns(trace, all);
  return all;
}

}  // namespace tarry
