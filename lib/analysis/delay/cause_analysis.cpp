// cause_analysis.cpp -- what a process did more than those who waited for it.
#include "analysis/delay/cause_analysis.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/delay/interval_times.hpp"

namespace tarry {
namespace {

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
  CauseAnalysis(const DelayContext& context, RankIndex rank, ThreadIndex thread, const RemoteWaiters& remote,
                DelayInstances& into)
      : context_(context),
        rank_(rank),
        thread_(thread),
        remote_(remote),
        points_(context.sync[rank][thread]),
        into_(into) {}

  void run(std::span<const Waiter> waiters) {
    const auto has_same_cause = [](const Waiter& a, const Waiter& b) { return a.cause_point == b.cause_point; };
    for_each_group(waiters, has_same_cause, [&](std::span<const Waiter> group) {
      if (cost_of(wait_kind(point_at(context_.sync, group[0].ref).kind)).pairing == Pairing::kPairwise)
        for (const Waiter& waiter : group) add_message(waiter);
      else add_collective(group);
    });
  }

 private:
  void find_waiter_times(const SyncRef& waiter) {
    waiter_times_.clear();
    const PathTimes* const remote = remote_.find(waiter);
    if (!remote) return void(time_apart(context_, waiter, rank_, scratch_, waiter_times_));
    for (const PathTime& entry : *remote) waiter_times_.add(entry.path, entry.time);
  }

  // What the cause did, and waited, while it was apart from the waiter.
  struct CauseInterval {
    Apart apart;
    PathTimes times;
  };

  void add(const Waiter& waiter, const CauseInterval& interval, SyncIndex first_wait,
           bool spares_thread_waits = false) {
    const SyncPoint& wait = point_at(context_.sync, waiter.ref);
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

  // Since when the cause has been apart from each of the processes asked for. For most it is the group start. Later
  // starts are those of processes with which the cause has synchronised alone since then.
  struct Starts {
    SyncIndex group{0};
    std::map<SyncIndex, std::vector<RankIndex>> later;  // by their starts
    FlatMap<RankIndex, SyncIndex> of_rank;
  };

  Starts find_starts(std::span<const Waiter> group, SyncIndex before, CommId comm) const {
    Starts starts;
    std::vector<RankIndex> rest;  // not met yet; filled when the first partial synchronisation is met
    bool has_rest = false;
    const auto fill_rest = [&] {
      if (!std::exchange(has_rest, true)) rest = asked_for(group, comm);
    };
    for (SyncIndex at = before; at.value-- > 0;) {
      const SyncPoint& point = points_.points[at];
      if (!point.with.are_processes()) continue;
      starts.group = at;
      if (covers(point, comm)) return starts;
      fill_rest();
      const auto is_partner = [&](RankIndex member) { return has_partner(context_.trace, points_, point, member); };
      if (std::all_of(rest.begin(), rest.end(), is_partner)) return starts;
      std::erase_if(rest, [&](RankIndex member) {
        if (!is_partner(member)) return false;
        starts.later[at].push_back(member);
        starts.of_rank.insert(member, at);
        return true;
      });
    }
    if (thread_ > kMaster) starts.group = SyncIndex();  // it began later than MPI_Init, and has not met the rest
    else if (context_.trace.mpi_worlds().are_several()) add_begins(before, asked_for(group, comm), starts);
    return starts;
  }

  // Since when it has been apart from those of other worlds that it has not met.
  void add_begins(SyncIndex before, const std::vector<RankIndex>& members, Starts& starts) const {
    for (const RankIndex member : members) {
      if (starts.of_rank.find(member)) continue;
      const SyncIndex at = begin_with(context_, {rank_, thread_, before}, member);
      if (at <= starts.group) continue;
      starts.later[at].push_back(member);
      starts.of_rank.insert(member, at);
    }
  }

  // Those who waited; in compat mode all members, as then the starts of others count (first_wait()).
  std::vector<RankIndex> asked_for(std::span<const Waiter> group, CommId comm) const {
    std::vector<RankIndex> ranks;
    if (context_.compatibility.propagates_after_next_start()) {
      for (const RankIndex member : members_of(comm))
        if (member.is_valid() && member != rank_) ranks.push_back(member);
      return ranks;
    }
    // They are in order of rank.
    for (const Waiter& waiter : group)
      if (waiter.ref.rank != rank_ && (ranks.empty() || ranks.back() != waiter.ref.rank))
        ranks.push_back(waiter.ref.rank);
    return ranks;
  }

  std::vector<RankIndex> members_of(CommId comm) const {
    std::vector<RankIndex> members;
    if (comm >= kFinalizeComm)
      for (const RankIndex rank : context_.trace.ranks().ids()) members.push_back(rank);
    else
      for (const WorldRank world_rank : context_.trace.communicators().members(comm))
        members.push_back(context_.trace.index_of(world_rank));
    return members;
  }

  static bool covers(const SyncPoint& point, CommId comm) {
    return point.with.kind() == Counterpart::Kind::kEverybody ||
           (point.with.kind() == Counterpart::Kind::kCommunicator && point.with.communicator() == comm);
  }

  void add_collective(std::span<const Waiter> group) {
    const SyncPoint& cause = points_.points[group[0].cause_point];
    const Trace& trace = context_.trace;
    const Collective& part = trace.ranks()[rank_].collectives[cause.collective()];
    const CommId comm = trace.comm_of(part, rank_);
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
  bool spares_thread_waits(SyncKind kind, CommId comm, SyncIndex start) const {
    const bool follows_message = start.is_valid() && is_message(points_.points[start].kind) && comm < kFinalizeComm &&
                                 context_.trace.communicators().members(comm).size() == 2;
    return context_.compatibility.spares_thread_waits(wait_kind(kind), follows_message);
  }

  // The reference passes costs of members with a start of their own only to waits from the next such start on.
  SyncIndex first_wait(const Starts& starts, SyncIndex start, SyncIndex cause_point) const {
    if (!context_.compatibility.propagates_after_next_start() || start == starts.group)
      return IntervalTimes::after(start);
    const auto next = starts.later.upper_bound(start);
    return next == starts.later.end() ? cause_point : next->first;
  }

  const DelayContext& context_;
  const RankIndex rank_;
  const ThreadIndex thread_;
  const RemoteWaiters& remote_;
  const SyncPoints& points_;
  IntervalScratch scratch_;
  CauseInterval of_message_;  // of the wait being looked at, as the next two
  TimeVector waiter_times_;
  PathTimes excess_;
  DelayInstances& into_;
};

}  // namespace

void analyse_cause(const DelayContext& context, RankIndex rank, std::span<const Waiter> waiters,
                   const RemoteWaiters& remote, DelayInstances& into) {
  const auto is_of_same_thread = [](const Waiter& a, const Waiter& b) { return a.cause_thread == b.cause_thread; };
  for_each_group(waiters, is_of_same_thread, [&](std::span<const Waiter> group) {
    CauseAnalysis(context, rank, group[0].cause_thread, remote, into).run(group);
  });
}

}  // namespace tarry
