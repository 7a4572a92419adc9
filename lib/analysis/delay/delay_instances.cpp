// delay_instances.cpp -- the delays behind waits in messages and collectives.
#include "analysis/delay/delay_instances.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "base/sort_runs.hpp"
#include "base/worker_pool.hpp"

namespace tarry {
namespace {

// Processes with so many times the average of waiters are looked at by several threads, which take that many waiters at
// once: for the last one of a collective all others have waited.
constexpr std::size_t kCrowd = 8;
constexpr std::size_t kWaitersAtOnce = 1024;

struct Waiter {
  std::uint16_t cause_thread;
  SyncIndex cause_point;
  SyncRef ref;

  auto order() const {
    return std::tuple(std::uint64_t{cause_thread} << 32 | cause_point, std::uint64_t{ref.rank} << 16 | ref.thread,
                      ref.point);
  }
};

const SyncPoint& point_at(const DelayContext& context, const SyncRef& ref) {
  return context.sync[ref.rank][ref.thread].points[ref.point];
}

// Whether other processes are to blame for waits of a kind.
bool costs_others(SyncKind kind, const Compatibility& compatibility) {
  const WaitKind wait = wait_kind(kind);
  if (wait == WaitKind::kNone || cost_of(wait).source == WaitSource::kThreads) return false;
  return compatibility.has_costs(wait);
}

// Calls visit(cause's rank index, waiter) for the waits of one process.
template <class Visit>
void for_each_wait(const DelayContext& context, std::uint32_t rank, Visit visit) {
  for (std::uint16_t thread = 0; thread < context.sync[rank].size(); ++thread) {
    const Rows<SyncPoint>& points = context.sync[rank][thread].points;
    for (SyncIndex at = 0; at < points.size(); ++at) {
      const SyncPoint& point = points[at];
      if (point.wait > 0 && costs_others(point.kind, context.compatibility) && point.cause_point != kNone32)
        visit(point.cause_rank, Waiter{point.cause_thread, point.cause_point, {rank, thread, at}});
    }
  }
}

// Who waited for each process.
std::vector<Rows<Waiter>> waiters_by_cause(const DelayContext& context) {
  struct Wait {
    std::uint32_t cause;
    Waiter waiter;
  };
  const std::size_t ranks = context.sync.size();
  std::vector<Rows<Waiter>> result = rows_of<Waiter>(ranks, context.trace.budget());
  std::vector<std::atomic<std::uint32_t>> count(ranks);  // of waiters of each cause; later, of those in their place
  std::vector<Rows<Wait>> waits = rows_of<Wait>(ranks, context.trace.budget());  // of each process
  const auto for_each = [&](auto job) {
    run_parallel(context.trace.workers(), ranks, [&](std::size_t i) { job(static_cast<std::uint32_t>(i)); });
  };
  for_each([&](std::uint32_t rank) {
    for_each_wait(context, rank, [&](std::uint32_t cause, const Waiter& waiter) {
      count[cause].fetch_add(1, std::memory_order_relaxed);
      waits[rank].push_back({cause, waiter});
    });
    waits[rank].finish();
  });
  for_each([&](std::uint32_t cause) { result[cause].resize(count[cause].exchange(0)); });
  for_each([&](std::uint32_t rank) {
    for (const Wait& wait : waits[rank])
      result[wait.cause][count[wait.cause].fetch_add(1, std::memory_order_relaxed)] = wait.waiter;
    waits[rank].clear();
  });
  // Those of one process came in order, mostly.
  for_each([&](std::uint32_t cause) {
    sort_runs(result[cause], [](const Waiter& a, const Waiter& b) { return a.order() < b.order(); });
  });
  return result;
}

// Since when a master and a process have been apart that have not synchronised. Those of one world have met in MPI_Init,
// its first sync point; one of another world may have begun later.
SyncIndex begin_with(const DelayContext& context, const SyncRef& before, std::uint32_t partner) {
  const WorldTable& worlds = context.trace.mpi_worlds();
  if (worlds.of(partner) == worlds.of(before.rank) || context.sync[partner].empty()) return 0;
  const Ticks begin = context.sync[partner][0].first_time;
  const SyncPoint* const points = context.sync[before.rank][before.thread].points.begin();
  const SyncPoint* const later = std::partition_point(points, points + before.point,
                                                      [&](const SyncPoint& point) { return point.enter <= begin; });
  return later == points ? 0 : static_cast<SyncIndex>(later - points - 1);
}

// The part of a thread's time in which it was apart from a process.
struct Apart {
  SyncIndex since = kNone32;  // threads other than the master may have met nobody since they began: kNone32
  Ticks waits = 0;            // after that
};

// Before sync point `before`. Its time vector, without the waits, goes into `times`.
Apart time_apart(const DelayContext& context, const SyncRef& before, std::uint32_t partner, IntervalScratch& scratch,
                 TimeVector& times) {
  const SyncPoints& points = context.sync[before.rank][before.thread];
  const IntervalTimes of_thread(context, before.rank, before.thread, scratch);
  const auto is_start = [&](const SyncPoint& point) {
    return point.with.kind() == Counterpart::Kind::kProcess
               ? point.with.is(Counterpart::Kind::kProcess, partner)
               : has_partner(context.trace, points, point, partner);
  };
  Apart apart;
  apart.waits = of_thread.add_pruned_since(is_start, before.point, times, apart.since);
  if (apart.since != kNone32) return apart;
  if (before.thread == 0) apart.since = begin_with(context, before, partner);
  apart.waits = of_thread.add_pruned(apart.since, before.point, times);
  return apart;
}

// Time vectors of waiters that other analysis processes host, for the causes hosted here.
class ForeignTimes {
 public:
  explicit ForeignTimes(const DelayContext& context, const std::vector<Rows<Waiter>>& waiters) {
    const Trace& trace = context.trace;
    if (trace.exchange().size() == 1) return;
    std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()));
    IntervalScratch scratch;
    PathTimes times;
    for (std::uint32_t cause = 0; cause < waiters.size(); ++cause) {
      if (trace.is_hosted(cause)) continue;
      MessageBuffer& buffer = buffers[static_cast<std::size_t>(trace.host_of(cause))];
      for (const Waiter& waiter : waiters[cause]) {
        if (!trace.is_hosted(waiter.ref.rank)) continue;
        buffer.put(waiter.ref);
        time_apart(context, waiter.ref, cause, scratch, scratch.times);
        scratch.times.move_to(times);
        buffer.put_all(times);
      }
    }
    for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers)))
      while (!buffer.is_read()) {
        const auto waiter = buffer.get<SyncRef>();
        times_.insert(waiter) = buffer.get_all<PathTime>();
        are_there_ = true;
      }
  }

  const PathTimes* find(const SyncRef& waiter) const { return are_there_ ? times_.find(waiter) : nullptr; }

 private:
  FlatMap<SyncRef, PathTimes> times_;
  bool are_there_ = false;  // most traces are analysed by one process
};

// Calls visit(part) for the stretches of waiters that have something in common.
template <class Same, class Visit>
void for_each_group(std::span<const Waiter> waiters, Same same, Visit visit) {
  for (std::size_t i = 0; i < waiters.size();) {
    std::size_t end = i + 1;
    while (end < waiters.size() && same(waiters[end], waiters[i])) ++end;
    visit(waiters.subspan(i, end - i));
    i = end;
  }
}

// Of one thread.
class CauseAnalysis {
 public:
  CauseAnalysis(const DelayContext& context, std::uint32_t rank, std::uint16_t thread, const ForeignTimes& foreign,
                DelayInstances& into)
      : context_(context),
        rank_(rank),
        thread_(thread),
        foreign_(foreign),
        points_(context.sync[rank][thread]),
        into_(into) {}

  void run(std::span<const Waiter> waiters) {
    const auto has_same_cause = [](const Waiter& a, const Waiter& b) { return a.cause_point == b.cause_point; };
    for_each_group(waiters, has_same_cause, [&](std::span<const Waiter> group) {
      if (cost_of(wait_kind(point_at(context_, group[0].ref).kind)).pairing == Pairing::kPairwise)
        for (const Waiter& waiter : group) add_message(waiter);
      else
        add_collective(group);
    });
  }

 private:
  void find_waiter_times(const SyncRef& waiter) {
    waiter_times_.clear();
    const PathTimes* const foreign = foreign_.find(waiter);
    if (!foreign) return void(time_apart(context_, waiter, rank_, scratch_, waiter_times_));
    for (const PathTime& entry : *foreign) waiter_times_.add(entry.path, entry.time);
  }

  // What the cause did, and waited, while it was apart from the waiter.
  struct CauseInterval {
    Apart apart;
    PathTimes times;
  };

  void add(const Waiter& waiter, const CauseInterval& interval, SyncIndex first_wait, bool spares_thread_waits = false) {
    const SyncPoint& wait = point_at(context_, waiter.ref);
    find_waiter_times(waiter.ref);
    difference(interval.times, waiter_times_, excess_);
    DelayInstance instance;
    instance.waiter = waiter.ref;
    instance.cause = {rank_, thread_, waiter.cause_point};
    instance.kind = wait_kind(wait.kind);
    instance.propagating = interval.apart.waits;
    instance.first_wait = first_wait;
    instance.spares_thread_waits = spares_thread_waits;
    append(context_, into_, instance, excess_);
  }

  void add_message(const Waiter& waiter) {
    CauseInterval& interval = of_message_;
    interval.apart =
        time_apart(context_, {rank_, thread_, waiter.cause_point}, waiter.ref.rank, scratch_, scratch_.times);
    scratch_.times.move_to(interval.times);
    add(waiter, interval, IntervalTimes::after(interval.apart.since));
  }

  // Since when the cause has been apart from each of those asked for: the group start, and later starts of those with
  // whom it synchronised alone since then.
  struct Starts {
    SyncIndex group = 0;
    std::map<SyncIndex, std::vector<std::uint32_t>> later;  // start -> rank indices
    FlatMap<std::uint32_t, SyncIndex> of_rank;
  };

  Starts find_starts(std::span<const Waiter> group, SyncIndex before, std::uint32_t comm) const {
    Starts starts;
    std::vector<std::uint32_t> rest;  // not met yet; filled when the first partial synchronisation is met
    bool has_rest = false;
    const auto fill_rest = [&] {
      if (!std::exchange(has_rest, true)) rest = asked_for(group, comm);
    };
    for (SyncIndex at = before; at-- > 0;) {
      const SyncPoint& point = points_.points[at];
      if (!point.with.are_processes()) continue;
      starts.group = at;
      if (covers(point, comm)) return starts;
      fill_rest();
      const auto is_partner = [&](std::uint32_t member) { return has_partner(context_.trace, points_, point, member); };
      if (std::all_of(rest.begin(), rest.end(), is_partner)) return starts;
      std::erase_if(rest, [&](std::uint32_t member) {
        if (!is_partner(member)) return false;
        starts.later[at].push_back(member);
        starts.of_rank.insert(member, at);
        return true;
      });
    }
    if (thread_ > 0)
      starts.group = kNone32;  // it began later than MPI_Init, and has not met the rest
    else if (context_.trace.mpi_worlds().are_several())
      add_begins(before, asked_for(group, comm), starts);
    return starts;
  }

  // Since when it has been apart from those of other worlds that it has not met.
  void add_begins(SyncIndex before, const std::vector<std::uint32_t>& members, Starts& starts) const {
    for (const std::uint32_t member : members) {
      if (starts.of_rank.find(member)) continue;
      const SyncIndex at = begin_with(context_, {rank_, thread_, before}, member);
      if (at <= starts.group) continue;
      starts.later[at].push_back(member);
      starts.of_rank.insert(member, at);
    }
  }

  // Those who waited; in compat mode all members, as then the starts of others count (first_wait()).
  std::vector<std::uint32_t> asked_for(std::span<const Waiter> group, std::uint32_t comm) const {
    std::vector<std::uint32_t> ranks;
    if (context_.compatibility.propagates_after_next_start()) {
      for (const std::uint32_t member : members_of(comm))
        if (member != kNone32 && member != rank_) ranks.push_back(member);
      return ranks;
    }
    // They are in order of rank.
    for (const Waiter& waiter : group)
      if (waiter.ref.rank != rank_ && (ranks.empty() || ranks.back() != waiter.ref.rank)) ranks.push_back(waiter.ref.rank);
    return ranks;
  }

  // Rank indices.
  std::vector<std::uint32_t> members_of(std::uint32_t comm) const {
    std::vector<std::uint32_t> members;
    if (comm >= kFinalizeComm)
      for (std::uint32_t rank = 0; rank < context_.trace.ranks().size(); ++rank) members.push_back(rank);
    else
      for (const std::uint32_t world_rank : context_.trace.communicators().members(comm))
        members.push_back(context_.trace.index_of(world_rank));
    return members;
  }

  static bool covers(const SyncPoint& point, std::uint32_t comm) {
    return point.with.kind() == Counterpart::Kind::kEverybody ||
           point.with.is(Counterpart::Kind::kCommunicator, comm);
  }

  void add_collective(std::span<const Waiter> group) {
    const SyncPoint& cause = points_.points[group[0].cause_point];
    const Trace& trace = context_.trace;
    const std::uint32_t comm = trace.comm_of(trace.ranks()[rank_].collectives[cause.record], rank_);
    const Starts starts = find_starts(group, group[0].cause_point, comm);
    std::map<SyncIndex, CauseInterval> intervals;  // by their starts
    for (const Waiter& waiter : group) {
      const SyncIndex* own = starts.of_rank.find(waiter.ref.rank);
      const SyncIndex start = own ? *own : starts.group;
      const auto [interval, is_new] = intervals.try_emplace(start);
      if (is_new) measure(start, waiter.cause_point, interval->second);
      add(waiter, interval->second, first_wait(starts, start, waiter.cause_point),
          spares_thread_waits(cause.kind, comm, start));
    }
  }

  void measure(SyncIndex start, SyncIndex end, CauseInterval& into) {
    into.apart.since = start;
    into.apart.waits = IntervalTimes(context_, rank_, thread_, scratch_).add_pruned(start, end, scratch_.times);
    scratch_.times.move_to(into.times);
  }

  // The reference leaves waits in OpenMP barriers out here, though they lessen the share of the delay.
  bool spares_thread_waits(SyncKind kind, std::uint32_t comm, SyncIndex start) const {
    const bool follows_message = start != kNone32 && is_message(points_.points[start].kind) && comm < kFinalizeComm &&
                                 context_.trace.communicators().members(comm).size() == 2;
    return context_.compatibility.spares_thread_waits(wait_kind(kind), follows_message);
  }

  // The reference passes costs of members with a start of their own only to waits from the next such start on.
  SyncIndex first_wait(const Starts& starts, SyncIndex start, SyncIndex cause_point) const {
    if (!context_.compatibility.propagates_after_next_start() || start == starts.group) return IntervalTimes::after(start);
    const auto next = starts.later.upper_bound(start);
    return next == starts.later.end() ? cause_point : next->first;
  }

  const DelayContext& context_;
  const std::uint32_t rank_;
  const std::uint16_t thread_;
  const ForeignTimes& foreign_;
  const SyncPoints& points_;
  IntervalScratch scratch_;
  CauseInterval of_message_;  // of the wait being looked at, as the next two
  TimeVector waiter_times_;
  PathTimes excess_;
  DelayInstances& into_;
};

// The waits for one process, or a part of them.
void find_instances(const DelayContext& context, std::uint32_t rank, std::span<const Waiter> waiters,
                    const ForeignTimes& foreign, DelayInstances& into) {
  const auto is_of_same_thread = [](const Waiter& a, const Waiter& b) { return a.cause_thread == b.cause_thread; };
  for_each_group(waiters, is_of_same_thread, [&](std::span<const Waiter> group) {
    CauseAnalysis(context, rank, group[0].cause_thread, foreign, into).run(group);
  });
}

// From how many waiters on a process is a job for all threads.
std::size_t size_of_crowd(const std::vector<Rows<Waiter>>& waiters) {
  std::size_t all = 0;
  for (const Rows<Waiter>& of_cause : waiters) all += of_cause.size();
  return std::max(kWaitersAtOnce, kCrowd * all / std::max<std::size_t>(waiters.size(), 1)) + 1;
}

// Puts `more` behind what there is.
void append(DelayInstances& into, const DelayInstances& more) {
  const auto before = static_cast<std::uint32_t>(into.excess.size());
  into.excess.append(more.excess);
  for (DelayInstance instance : more.all) {
    instance.excess_begin += before;
    instance.excess_end += before;
    into.all.push_back(instance);
  }
}

// The waiters of a process that many have waited for, or a part of them, and what becomes of them.
struct CrowdPart {
  std::uint32_t rank;
  std::span<const Waiter> waiters;
  DelayInstances found;
};

// [process][part]
std::vector<std::vector<CrowdPart>> divide_crowds(const Trace& trace, const std::vector<Rows<Waiter>>& waiters,
                                                  std::size_t crowd) {
  std::vector<std::vector<CrowdPart>> crowds;
  for (std::uint32_t rank = 0; rank < waiters.size(); ++rank) {
    if (waiters[rank].size() < crowd || !trace.is_hosted(rank)) continue;
    std::vector<CrowdPart>& parts = crowds.emplace_back();
    for (std::span<const Waiter> rest = waiters[rank]; !rest.empty(); rest = rest.subspan(parts.back().waiters.size()))
      parts.push_back(
          {rank, rest.first(std::min(rest.size(), kWaitersAtOnce)), DelayInstances(trace.budget())});
  }
  return crowds;
}

// The instances of processes that many have waited for.
void find_crowded_causes(const DelayContext& context, const std::vector<Rows<Waiter>>& waiters,
                         std::size_t crowd, const ForeignTimes& foreign, std::vector<DelayInstances>& into) {
  std::vector<std::vector<CrowdPart>> crowds = divide_crowds(context.trace, waiters, crowd);
  std::vector<CrowdPart*> parts;
  for (std::vector<CrowdPart>& of_cause : crowds)
    for (CrowdPart& part : of_cause) parts.push_back(&part);
  const unsigned workers = context.trace.workers();
  run_parallel(workers, parts.size(), [&](std::size_t i) {
    find_instances(context, parts[i]->rank, parts[i]->waiters, foreign, parts[i]->found);
  });
  run_parallel(workers, crowds.size(), [&](std::size_t i) {
    for (CrowdPart& part : crowds[i]) append(into[part.rank], std::exchange(part.found, DelayInstances()));
  });
}

// Everybody gets the instances of all causes, without the excess.
void share_instances(const Trace& trace, std::vector<DelayInstances>& instances) {
  if (trace.exchange().size() == 1) return;
  MessageBuffer own;
  for (std::uint32_t r = 0; r < instances.size(); ++r) {
    if (!trace.is_hosted(r)) continue;
    own.put(r);
    own.put_all(instances[r].all);
  }
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()), own);
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers)))
    while (!buffer.is_read()) {
      const auto rank = buffer.get<std::uint32_t>();
      instances[rank].all = buffer.get_rows<DelayInstance>(trace.budget());
    }
}

}  // namespace

double share_of(const DelayInstance& instance, Ticks wait, const Compatibility& compatibility) {
  const double base = static_cast<double>(instance.delay + instance.propagating);
  if (base == 0) return 0;
  return compatibility.limited_share(instance.kind, static_cast<double>(wait) / base);
}

void append(const DelayContext& context, DelayInstances& into, DelayInstance instance, const PathTimes& excess) {
  instance.delay = total_of(excess);
  instance.share = share_of(instance, context.counted_wait(instance.waiter), context.compatibility);
  instance.excess_begin = static_cast<std::uint32_t>(into.excess.size());
  into.excess.append(excess);
  instance.excess_end = static_cast<std::uint32_t>(into.excess.size());
  into.all.push_back(instance);
}

std::vector<DelayInstances> find_delay_instances(const DelayContext& context) {
  const std::vector<Rows<Waiter>> waiters = waiters_by_cause(context);
  const ForeignTimes foreign(context, waiters);
  std::vector<DelayInstances> result;
  for (std::size_t i = 0; i < context.sync.size(); ++i) result.emplace_back(context.trace.budget());
  const std::size_t crowd = size_of_crowd(waiters);
  find_crowded_causes(context, waiters, crowd, foreign, result);
  context.trace.for_each_hosted([&](std::uint32_t rank) {
    if (context.sync[rank].empty()) return;
    if (waiters[rank].size() < crowd) find_instances(context, rank, waiters[rank], foreign, result[rank]);
    find_thread_delays(context, rank, result[rank]);
    find_lock_delays(context, rank, result[rank]);
    result[rank].all.finish();
    result[rank].excess.finish();
  });
  share_instances(context.trace, result);
  return result;
}

}  // namespace tarry
