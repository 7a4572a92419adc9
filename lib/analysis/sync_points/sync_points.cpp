// sync_points.cpp -- builds the skeleton of synchronisations of every process.
#include "analysis/sync_points/sync_points.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "analysis/sync_points/link_spawns.hpp"
#include "analysis/sync_points/sync_exchange.hpp"
#include "base/sort_runs.hpp"
#include "analysis/waits/collective_metrics.hpp"

namespace tarry {
namespace {

// A sync point on its way into order: its call, its place within the call, and what refers to it.
struct Draft {
  enum class Record : std::uint8_t {
    kSendStart, kReceiveStart, kCollectiveStart, kWindowStart, kReceive, kProbe, kSend, kCollective, kWindow, kSpawn,
    kThread,
  };

  std::uint32_t call = 0;   // calls of the process before it, for thread points
  std::uint32_t index = 0;  // of the record; of the event, for thread points
  Record record = Record::kThread;
  SyncPoint point;

  // Records that start an operation come before those that complete one in the same call; OpenMP points stand between
  // calls. Parents have waited for one another before the processes that they spawn are there.
  std::uint64_t phase() const {
    return record == Record::kThread ? 0 : record <= Record::kWindowStart ? 1 : record == Record::kSpawn ? 3 : 2;
  }
};

// What drafts are sorted by: small, as they are many. Equal ones stay in the order of their numbers.
struct DraftOrder {
  std::uint64_t call_and_phase = 0, within = 0;
  std::uint32_t number = 0;

  DraftOrder() = default;
  DraftOrder(const Draft& draft, std::uint32_t draft_number)
      : call_and_phase(std::uint64_t{draft.call} << 2 | draft.phase()), number(draft_number) {
    // Thread points of one call gap follow one another in the time log.
    within = draft.record == Draft::Record::kThread
                 ? std::uint64_t{draft.point.position} << 32 | draft.index
                 : std::uint64_t{draft.index} << 32 | static_cast<std::uint64_t>(draft.record);
  }

  auto operator<=>(const DraftOrder&) const = default;
};

SyncKind kind_of(const Collective& part) {
  const WaitInfo* wait = wait_state(metrics_of(part).wait);
  return wait ? sync_kind(wait->cost) : SyncKind::kInit;
}

// The part of the index for one kind of record.
SyncPlaces& part_of(SyncRecordIndex& index, Draft::Record record) {
  switch (record) {
    case Draft::Record::kSendStart: return index.send_starts;
    case Draft::Record::kReceiveStart: return index.receive_starts;
    case Draft::Record::kCollectiveStart: return index.collective_starts;
    case Draft::Record::kReceive: return index.receives;
    case Draft::Record::kProbe: return index.probes;
    case Draft::Record::kSend: return index.sends;
    case Draft::Record::kWindowStart: return index.window_starts;
    case Draft::Record::kWindow: return index.windows;
    default: return index.collectives;
  }
}

class RankBuilder {
 public:
  RankBuilder(const Trace& trace, const FoundWaits& waits, const Rows<WindowCause>& window_causes,
              std::uint32_t rank_index, const Compatibility& compatibility)
      : trace_(trace),
        waits_(waits),
        window_causes_(window_causes),
        rank_index_(rank_index),
        rank_(trace.ranks()[rank_index]),
        own_waits_(waits.ranks[rank_index]),
        compatibility_(compatibility) {}

  std::vector<SyncPoints> build(std::span<LockLog> locks, SyncRecordIndex& index) {
    trace_.prefetch_partners(rank_);
    lanes_.resize(rank_.threads.size());
    add_messages();
    add_collectives();
    add_windows();
    if (trace_.mpi_worlds().are_several()) add_spawns();
    find_first_enters();
    if (compatibility_.thread_locks_synchronise()) divide_lock_waits();
    std::vector<SyncPoints> threads(rank_.threads.size());
    for (std::size_t t = 0; t < threads.size(); ++t) {
      add_thread_points(t);
      if (compatibility_.thread_locks_synchronise()) {
        if (!locks.empty()) add_lock_points(t, locks[t]);
        add_thread_starts(t);
      }
      if (!locks.empty()) locks[t].clear();
      arrange(t, threads[t], index);
      threads[t].lists = std::move(lanes_[t].lists);
      threads[t].first_time = rank_.threads[t].first_time;
      threads[t].last_time = rank_.threads[t].last_time;
      threads[t].log_end = rank_.threads[t].log.end();
    }
    index.finish();
    return threads;
  }

 private:
  // What becomes the sync points of one thread.
  struct Lane {
    Rows<Draft> drafts;
    std::vector<std::vector<std::uint32_t>> lists;
  };

  Lane& lane_of(std::uint32_t call) { return lanes_[rank_.calls[call].thread]; }

  const MpiCall& call_at(std::uint32_t rank, std::uint32_t call) const { return trace_.ranks()[rank].calls[call]; }

  Draft& add(Draft::Record record, std::uint32_t index, std::uint32_t call, SyncKind kind) {
    Draft& draft = lane_of(call).drafts.emplace_back();
    draft.call = call;
    draft.index = index;
    draft.record = record;
    const MpiCall& here = rank_.calls[call];
    draft.point.kind = kind;
    draft.point.enter = here.enter;
    draft.point.total = static_cast<Ticks>(here.duration);
    draft.point.path = here.path;
    draft.point.position = here.position;
    return draft;
  }

  void add_message_point(Draft::Record record, std::uint32_t index, std::uint32_t call, SyncKind kind, Ticks wait,
                         Ticks completion, std::uint32_t partner) {
    SyncPoint& point = add(record, index, call, kind).point;
    point.wait = wait;
    point.completion = completion;
    point.partners = SyncPoint::Partners::kOne;
    point.partner = partner;
  }

  void add_messages() {
    for (const MessageWait& late : own_waits_.late_senders) add_late_sender(late);
    for (const MessageWait& late : own_waits_.late_probes) add_late_probe(late);
    for (const MessageWait& late : own_waits_.late_receivers) add_late_receiver(late);
    for (std::uint32_t i = 0; i < rank_.receives.size(); ++i) {
      const Receive& receive = rank_.receives[i];
      if (!receive.is_matched()) continue;
      const std::uint32_t sender = rank_.sender_of(receive);
      if (waits_.ranks[sender].waiting_sends.has(receive.send))
        add_late_receiver_cause(i, receive, sender, trace_.ranks()[sender].sends[receive.send]);
    }
    for (std::uint32_t i = 0; i < rank_.sends.size(); ++i) {
      const Send& send = rank_.sends[i];
      if (!send.is_matched()) continue;
      const std::uint32_t receiver = rank_.receiver_of(send);
      if (waits_.ranks[receiver].waiting_receives.has(send.receive))
        add_late_sender_cause(i, send, receiver, trace_.ranks()[receiver].receives[send.receive]);
    }
  }

  void add_late_sender(const MessageWait& late) {
    const Receive& receive = rank_.receives[late.message];
    const std::uint32_t sender = rank_.sender_of(receive);
    const Send& send = trace_.ranks()[sender].sends[receive.send];
    const Ticks completion = rank_.calls[receive.call].leave() - call_at(sender, send.call).leave();
    add_message_point(Draft::Record::kReceive, late.message, receive.call, SyncKind::kLateSender, late.wait,
                      std::max<Ticks>(0, completion), sender);
  }

  void add_late_probe(const MessageWait& late) {
    const Probe& probe = rank_.probes[late.message];
    const Receive& receive = rank_.receives[probe.receive];
    const std::uint32_t sender = rank_.sender_of(receive);
    const Send& send = trace_.ranks()[sender].sends[receive.send];
    const Ticks completion = rank_.calls[probe.call].leave() - call_at(sender, send.call).leave();
    add_message_point(Draft::Record::kProbe, late.message, probe.call, SyncKind::kLateSender, late.wait,
                      std::max<Ticks>(0, completion), sender);
  }

  void add_late_sender_cause(std::uint32_t i, const Send& send, std::uint32_t receiver, const Receive& receive) {
    const Ticks completion = rank_.calls[send.call].leave() - call_at(receiver, receive.call).leave();
    add_message_point(Draft::Record::kSendStart, i, send.call, SyncKind::kLateSender, 0, std::max<Ticks>(0, completion),
                      receiver);
  }

  void add_late_receiver(const MessageWait& late) {
    const Send& send = rank_.sends[late.message];
    const std::uint32_t receiver = rank_.receiver_of(send);
    const Receive& receive = trace_.ranks()[receiver].receives[send.receive];
    const Ticks after = rank_.calls[send.completion_call].leave() - call_at(receiver, receive.request_call).leave();
    add_message_point(Draft::Record::kSend, late.message, send.completion_call, SyncKind::kLateReceiver, late.wait,
                      compatibility_.completion_after_late_receiver(after), receiver);
  }

  void add_late_receiver_cause(std::uint32_t i, const Receive& receive, std::uint32_t sender, const Send& send) {
    const Ticks completion = rank_.calls[receive.request_call].leave() - call_at(sender, send.completion_call).leave();
    add_message_point(Draft::Record::kReceiveStart, i, receive.request_call, SyncKind::kLateReceiver, 0,
                      std::max<Ticks>(0, completion), sender);
  }

  void add_collectives() {
    for (std::uint32_t i = 0; i < rank_.collectives.size(); ++i) {
      const Collective& part = rank_.collectives[i];
      const CollectiveWait& found = own_waits_.collectives[i];
      if (part.is_nonblocking && found.makes_wait) add_collective_start(i, part, found);
      if (!found.is_synchronised) continue;
      SyncPoint& point = add(Draft::Record::kCollective, i, part.call, kind_of(part)).point;
      point.wait = found.wait;
      point.completion = found.completion;
      point.record = i;
      set_partners(point, part, found);
    }
  }

  // Others waited for this process to start its part.
  void add_collective_start(std::uint32_t i, const Collective& part, const CollectiveWait& found) {
    SyncPoint& point = add(Draft::Record::kCollectiveStart, i, part.start_call, SyncKind::kRequest).point;
    point.completion = std::max<Ticks>(0, rank_.calls[part.start_call].leave() - part.started);
    point.partners = SyncPoint::Partners::kList;
    point.partner = add_list(part.start_call, found.list);
  }

  // Returns the number of the list in the thread of the call.
  std::uint32_t add_list(std::uint32_t call, std::uint32_t of_world_ranks) {
    auto& lists = lane_of(call).lists;
    std::vector<std::uint32_t>& list = lists.emplace_back();
    for (const std::uint32_t world_rank : waits_.lists[of_world_ranks]) list.push_back(trace_.index_of(world_rank));
    std::sort(list.begin(), list.end());
    return static_cast<std::uint32_t>(lists.size() - 1);
  }

  void set_partners(SyncPoint& point, const Collective& part, const CollectiveWait& found) {
    using Partners = SyncPoint::Partners;
    const std::uint32_t comm = trace_.comm_of(part, rank_index_);
    if (comm >= kFinalizeComm) {
      point.partners = Partners::kAll;
    } else if (found.partners == CollectiveWait::Partners::kEverybody) {
      point.partners = Partners::kCommunicator;
      point.partner = comm;
    } else if (found.partners == CollectiveWait::Partners::kCause) {
      point.partners = Partners::kOne;
      point.partner = trace_.index_of(found.cause);
    } else {
      point.partners = Partners::kList;
      point.partner = add_list(part.call, found.list);
    }
  }

  void add_windows() {
    for (std::uint32_t i = 0; i < own_waits_.windows.size(); ++i) {
      const WindowWait& wait = own_waits_.windows[i];
      if (!has_sync_point(wait)) continue;
      const WindowRecord& record = rank_.window_records[wait.record];
      SyncPoint& point = add(Draft::Record::kWindow, i, record.call, SyncKind::kOneSided).point;
      point.wait = wait.wait;
      point.completion = std::max<Ticks>(0, record.leave - wait.begin - wait.wait);
      point.record = i;
      point.partners = SyncPoint::Partners::kOne;
      point.partner = wait.cause_rank;
    }
    for (const WindowCause& cause : window_causes_) add_window_cause(cause);
  }

  // Causes of one record follow one another: one sync point with all who waited.
  void add_window_cause(const WindowCause& cause) {
    const std::uint32_t call = rank_.window_records[cause.record].call;
    auto& [drafts, lists] = lane_of(call);
    const bool is_known = !drafts.empty() && drafts.back().record == Draft::Record::kWindowStart &&
                          drafts.back().index == cause.record;
    if (!is_known) {
      SyncPoint& point = add(Draft::Record::kWindowStart, cause.record, call, SyncKind::kOneSided).point;
      point.completion = point.total;
      point.partners = SyncPoint::Partners::kList;
      point.partner = static_cast<std::uint32_t>(lists.size());
      lists.emplace_back();
    }
    lists.back().push_back(cause.waiter);
  }

  // Who takes part is known when the sync points of all are: link_spawns().
  void add_spawns() {
    for (std::uint32_t i = 0; i < rank_.spawns.size(); ++i) {
      const Spawn& spawn = rank_.spawns[i];
      if (spawn.comm == kNone32) continue;
      SyncPoint& point = add(Draft::Record::kSpawn, i, spawn.call, SyncKind::kSpawn).point;
      point.partner = spawn.comm;
      point.record = spawn.root == kNone32 ? kNone32 : trace_.index_of(spawn.root);
    }
  }

  // When the first thread of each team entered the parallel region.
  void find_first_enters() {
    first_enter_.assign(rank_.forks.size(), std::numeric_limits<Ticks>::max());
    for (const LogicalThread& thread : rank_.threads)
      for (const ParallelEntry& entry : thread.parallels)
        first_enter_[entry.fork] = std::min(first_enter_[entry.fork], entry.enter);
  }

  void add_thread_points(std::size_t t) {
    const LogicalThread& thread = rank_.threads[t];
    for (std::uint32_t i = 0; i < thread.parallels.size(); ++i) {
      const ParallelEntry& entry = thread.parallels[i];
      const Fork& fork = rank_.forks[entry.fork];
      Draft& draft = lanes_[t].drafts.emplace_back();
      // What a worker did before has nothing to do with what it does in this team.
      if (t > 0) draft.point.partners = SyncPoint::Partners::kAll;
      draft.call = entry.calls_before;
      draft.index = entry.event;
      draft.point.kind = SyncKind::kFork;
      draft.point.record = entry.fork;
      draft.point.completion = entry.enter - first_enter_[entry.fork];
      draft.point.enter = entry.enter;
      draft.point.partner = fork.join_position;
      draft.point.total = std::max<Ticks>(0, entry.enter - fork.fork_time);
      draft.point.path = entry.path;
      draft.point.position = entry.position;
    }
    for (std::uint32_t i = 0; i < thread.barriers.size(); ++i) {
      const ThreadBarrier& barrier = thread.barriers[i];
      if (barrier.fork == kNone32) continue;
      Draft& draft = lanes_[t].drafts.emplace_back();
      draft.call = barrier.calls_before;
      draft.index = barrier.event;
      draft.point.kind = SyncKind::kThreadBarrier;
      draft.point.record = i;
      draft.point.enter = barrier.enter;
      draft.point.wait = own_waits_.barriers[t][i].wait;
      draft.point.total = barrier.leave - barrier.enter;
      draft.point.path = barrier.path;
      draft.point.position = barrier.position;
    }
  }

  // Which waits for locks each thread has, and which of its acquisitions made others wait; both in its order.
  void divide_lock_waits() {
    lock_waits_.resize(rank_.threads.size());
    held_locks_.resize(rank_.threads.size());
    for (std::uint32_t i = 0; i < own_waits_.locks.size(); ++i) {
      const LockWait& wait = own_waits_.locks[i];
      lock_waits_[wait.thread].push_back(i);
      held_locks_[wait.holder].push_back(wait.held);
    }
    for (Rows<std::uint32_t>& waits : lock_waits_)
      std::sort(waits.begin(), waits.end(), [&](std::uint32_t a, std::uint32_t b) {
        return own_waits_.locks[a].acquisition < own_waits_.locks[b].acquisition;
      });
    // Several readers may have waited for one writer.
    for (Rows<std::uint32_t>& held : held_locks_) {
      std::sort(held.begin(), held.end());
      held.resize(static_cast<std::size_t>(std::unique(held.begin(), held.end()) - held.begin()));
    }
  }

  SyncPoint& add_moment(std::size_t thread, const ThreadMoment& moment, SyncKind kind, std::uint32_t record) {
    Draft& draft = lanes_[thread].drafts.emplace_back();
    draft.call = moment.calls_before;
    draft.index = moment.event;
    draft.point.kind = kind;
    draft.point.record = record;
    draft.point.enter = moment.time;
    draft.point.path = moment.path;
    draft.point.position = moment.position;
    return draft.point;
  }

  // One who waits has met the holder when it has the lock, the holder when it lets the lock go.
  void add_lock_points(std::size_t t, const LockLog& locks) {
    const std::uint32_t* waits = lock_waits_[t].begin();
    const std::uint32_t* held = held_locks_[t].begin();
    locks.for_each([&](std::uint32_t number, const LockAcquisition& lock, const LockPlace& place) {
      for (; waits != lock_waits_[t].end() && own_waits_.locks[*waits].acquisition == number; ++waits) {
        const LockWait& wait = own_waits_.locks[*waits];
        SyncPoint& point = add_moment(t, place.enter, SyncKind::kThreadLock, number);
        point.wait = wait.wait;
        point.total = lock.acquire - lock.enter;
        point.completion = std::max<Ticks>(0, point.total - point.wait);
        point.cause_thread = wait.holder;
        point.cause_point = wait.held;  // its number, until the points of all are known
      }
      if (held != held_locks_[t].end() && *held == number)
        add_moment(t, place.release, SyncKind::kThreadLock, *held++);
    });
  }

  void add_thread_starts(std::size_t t) {
    const LogicalThread& thread = rank_.threads[t];
    for (std::uint32_t i = 0; i < thread.starts.size(); ++i)
      add_moment(t, thread.starts[i].moment, SyncKind::kThreadStart, i);
  }

  void arrange(std::size_t t, SyncPoints& into, SyncRecordIndex& index) {
    Rows<Draft>& drafts = lanes_[t].drafts;
    Rows<DraftOrder> order;
    for (std::uint32_t i = 0; i < drafts.size(); ++i) order.push_back({drafts[i], i});
    sort_runs(order, std::less<>());  // records of a kind are in order, mostly
    for (const DraftOrder& next : order) {
      const Draft& draft = drafts[next.number];
      const auto at = static_cast<SyncIndex>(into.points.size());
      if (draft.record != Draft::Record::kThread && draft.record != Draft::Record::kSpawn)
        part_of(index, draft.record).add(draft.index, {static_cast<std::uint32_t>(t), at});
      if (draft.record == Draft::Record::kCollective && draft.point.kind == SyncKind::kInit) into.init = at;
      if (draft.record == Draft::Record::kCollective && draft.point.kind == SyncKind::kFinalize) into.finalize = at;
      into.has_locks |= draft.point.kind == SyncKind::kThreadLock;
      into.points.push_back(draft.point);
    }
    into.points.finish();
    drafts.clear();
  }

  const Trace& trace_;
  const FoundWaits& waits_;
  const Rows<WindowCause>& window_causes_;
  const std::uint32_t rank_index_;
  const LogicalRank& rank_;
  const RankWaits& own_waits_;
  const Compatibility& compatibility_;
  std::vector<Lane> lanes_;         // per thread
  std::vector<Ticks> first_enter_;  // per fork
  std::vector<Rows<std::uint32_t>> lock_waits_;  // per thread, indices into RankWaits::locks
  std::vector<Rows<std::uint32_t>> held_locks_;  // per thread, acquisitions that others waited for
};

// Index of a partner's record in the process that hosts it.
std::uint32_t origin(const std::vector<std::uint32_t>& origins, std::uint32_t index) {
  return origins.empty() ? index : origins[index];
}

// Connects every wait with the sync point of the one who caused it.
class Linker {
 public:
  Linker(const Trace& trace, const FoundWaits& waits, AllSyncPoints& all,
         const ParallelArray<SyncRecordIndex>& index)
      : trace_(trace), waits_(waits), all_(all), index_(index) {}

  void link(std::uint32_t rank_index) {
    const LogicalRank& rank = trace_.ranks()[rank_index];
    const SyncRecordIndex& here = index_[rank_index];
    const auto link_to_send = [&](const Receive& receive, SyncPlace at) {
      const std::uint32_t sender = rank.sender_of(receive);
      const std::uint32_t record = origin(trace_.ranks()[sender].send_origin, receive.send);
      set(rank_index, at, sender, index_[sender].send_starts.find(record));
    };
    here.receives.for_each([&](std::uint32_t i, SyncPlace at) { link_to_send(rank.receives[i], at); });
    here.probes.for_each([&](std::uint32_t i, SyncPlace at) {
      link_to_send(rank.receives[rank.probes[i].receive], at);
    });
    here.sends.for_each([&](std::uint32_t i, SyncPlace at) {
      const Send& send = rank.sends[i];
      const std::uint32_t receiver = rank.receiver_of(send);
      const std::uint32_t record = origin(trace_.ranks()[receiver].receive_origin, send.receive);
      set(rank_index, at, receiver, index_[receiver].receive_starts.find(record));
    });
    here.collectives.for_each([&](std::uint32_t i, SyncPlace at) {
      const CollectiveWait& found = waits_.ranks[rank_index].collectives[i];
      const std::uint32_t cause = trace_.index_of(found.cause);
      if (cause == kNone32) return;
      const bool is_request = rank.collectives[i].is_nonblocking;
      const auto& points = is_request ? index_[cause].collective_starts : index_[cause].collectives;
      set(rank_index, at, cause, points.find(found.cause_index));
    });
    here.windows.for_each([&](std::uint32_t i, SyncPlace at) {
      const WindowWait& wait = waits_.ranks[rank_index].windows[i];
      set(rank_index, at, wait.cause_rank, index_[wait.cause_rank].window_starts.find(wait.cause_record));
    });
    link_thread_barriers(rank_index);
    link_locks(rank_index);
    link_thread_starts(rank_index);
  }

 private:
  void set(std::uint32_t rank, SyncPlace at, std::uint32_t cause_rank, const SyncPlace* cause) {
    if (!cause) return;
    SyncPoint& point = all_[rank][at.thread].points[at.point];
    point.cause_rank = cause_rank;
    point.cause_thread = static_cast<std::uint16_t>(cause->thread);
    point.cause_point = cause->point;
  }

  void link_thread_barriers(std::uint32_t rank_index) {
    const LogicalRank& rank = trace_.ranks()[rank_index];
    std::vector<std::vector<SyncIndex>> point_of_barrier(rank.threads.size());
    for (std::size_t t = 0; t < rank.threads.size(); ++t) {
      point_of_barrier[t].resize(rank.threads[t].barriers.size(), kNone32);
      for (SyncIndex at = 0; at < all_[rank_index][t].points.size(); ++at)
        if (const SyncPoint& point = all_[rank_index][t].points[at]; point.kind == SyncKind::kThreadBarrier)
          point_of_barrier[t][point.record] = at;
    }
    for (std::size_t t = 0; t < rank.threads.size(); ++t)
      for (SyncPoint& point : all_[rank_index][t].points) {
        if (point.kind != SyncKind::kThreadBarrier) continue;
        const BarrierWait& wait = waits_.ranks[rank_index].barriers[t][point.record];
        point.cause_rank = rank_index;
        point.cause_thread = wait.last_thread;
        point.cause_point = point_of_barrier[wait.last_thread][wait.last_barrier];
      }
  }

  void link_locks(std::uint32_t rank_index) {
    std::vector<SyncPoints>& threads = all_[rank_index];
    if (!have_locks(threads)) return;
    struct Release {
      std::uint32_t acquisition;
      SyncIndex point;
    };
    std::vector<Rows<Release>> releases(threads.size());
    const auto is_before = [](const Release& a, const Release& b) { return a.acquisition < b.acquisition; };
    const auto for_each = [&](auto visit) {
      for (std::size_t t = 0; t < threads.size(); ++t)
        for (SyncIndex at = 0; at < threads[t].points.size(); ++at)
          if (threads[t].points[at].kind == SyncKind::kThreadLock) visit(t, at, threads[t].points[at]);
    };
    for_each([&](std::size_t t, SyncIndex at, const SyncPoint& point) {
      if (point.wait == 0) releases[t].push_back({point.record, at});
    });
    for (Rows<Release>& of_thread : releases) std::sort(of_thread.begin(), of_thread.end(), is_before);
    for_each([&](std::size_t, SyncIndex, SyncPoint& point) {
      if (point.wait == 0) return;
      point.cause_rank = rank_index;
      const Rows<Release>& held = releases[point.cause_thread];
      const Release wanted{point.cause_point, 0};
      point.cause_point = std::lower_bound(held.begin(), held.end(), wanted, is_before)->point;
    });
  }

  // From the begin of a thread to its creation.
  void link_thread_starts(std::uint32_t rank_index) {
    const LogicalRank& rank = trace_.ranks()[rank_index];
    const auto has_none = [](const LogicalThread& thread) { return thread.starts.empty(); };
    if (std::all_of(rank.threads.begin(), rank.threads.end(), has_none)) return;
    std::vector<SyncPoints>& threads = all_[rank_index];
    struct Place {
      std::uint16_t thread;
      SyncIndex point;
    };
    std::map<std::pair<std::uint64_t, std::uint64_t>, Place> created;
    const auto for_each = [&](bool is_begin, auto visit) {
      for (std::uint16_t t = 0; t < threads.size(); ++t)
        for (SyncIndex at = 0; at < threads[t].points.size(); ++at)
          if (const SyncPoint& point = threads[t].points[at]; point.kind == SyncKind::kThreadStart) {
            const ThreadStart& start = rank.threads[t].starts[point.record];
            if (start.is_begin == is_begin) visit(std::pair(start.contingent, start.sequence), Place{t, at});
          }
    };
    for_each(false, [&](const auto& key, Place place) { created.emplace(key, place); });
    for_each(true, [&](const auto& key, Place place) {
      SyncPoint& begin = threads[place.thread].points[place.point];
      const auto found = created.find(key);
      if (found == created.end()) return;
      SyncPoint& creation = threads[found->second.thread].points[found->second.point];
      if (creation.enter > begin.enter || found->second.thread == place.thread) return;
      creation.partner = place.thread;
      begin.cause_rank = rank_index;
      begin.cause_thread = found->second.thread;
      begin.cause_point = found->second.point;
    });
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
  switch (point.partners) {
    case SyncPoint::Partners::kOne: return point.partner == rank_index;
    case SyncPoint::Partners::kAll: return true;
    case SyncPoint::Partners::kCommunicator: return trace.is_member(point.partner, rank_index);
    case SyncPoint::Partners::kList: {
      const std::vector<std::uint32_t>& list = all.lists[point.partner];
      return std::binary_search(list.begin(), list.end(), rank_index);
    }
    case SyncPoint::Partners::kNone: break;
  }
  return false;
}

AllSyncPoints build_sync_points(const Trace& trace, const FoundWaits& waits, LockLogs locks,
                                const Compatibility& compatibility) {
  AllSyncPoints all(trace.workers(), trace.ranks().size());
  ParallelArray<SyncRecordIndex> index(trace.workers(), trace.ranks().size());
  const bool is_distributed = trace.exchange().size() > 1;
  const WindowCauses window_causes = collect_window_causes(trace, waits);
  trace.for_each_hosted([&](std::uint32_t r) {
    all[r] = RankBuilder(trace, waits, window_causes[r], r, compatibility).build(locks[r], index[r]);
  });
  if (is_distributed) share_cause_index(trace, index);
  trace.for_each_hosted([&](std::uint32_t r) { Linker(trace, waits, all, index).link(r); });
  if (is_distributed) share_points(trace, all);
  if (trace.mpi_worlds().are_several()) link_spawns(trace, all);
  return all;
}

}  // namespace tarry
