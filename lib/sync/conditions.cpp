// conditions.cpp -- the clock conditions of collective operations, one-sided communication and OpenMP.
//
// Only what must hold whatever the implementation does: who receives no bytes need not have waited, and a fence only
// orders accesses. Source: docs/METRICS.md, "Timestamps".
#include "sync/conditions.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "replay/matching/match_collectives.hpp"
#include "replay/matching/match_windows.hpp"

namespace tarry {

std::string_view name_of(ConditionKind kind) {
  static const std::string_view kNames[] = {"point-to-point", "collective", "other collective", "one-sided", "OpenMP"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

// One group while it is put together.
struct Draft {
  ConditionKind kind = ConditionKind::kCollective;
  bool is_scan = false;
  std::vector<ClockPoint> causes, effects;
};

// Takes groups from several workers.
class Collector {
 public:
  void add(const Draft& draft) {
    if (draft.causes.empty() || draft.effects.empty()) return;
    const std::lock_guard lock(mutex_);
    all_.groups.push_back({all_.points.size(), static_cast<std::uint32_t>(draft.causes.size()),
                           static_cast<std::uint32_t>(draft.effects.size()), draft.kind, draft.is_scan});
    all_.points.insert(all_.points.end(), draft.causes.begin(), draft.causes.end());
    all_.points.insert(all_.points.end(), draft.effects.begin(), draft.effects.end());
  }
  Conditions take() { return std::move(all_); }

 private:
  std::mutex mutex_;
  Conditions all_;
};

// ---- collective operations ------------------------------------------------------------------------------------------

LocationId location_of(const Trace& trace, RankIndex rank, ThreadIndex thread) {
  const auto& locations = trace.locations_of(rank);
  return locations[locations.has(thread) ? thread : kMaster];
}

class CollectiveConditions {
 public:
  CollectiveConditions(const CollectiveInstance& instance, Collector& collector)
      : instance_(instance), collector_(collector) {
    const CollectiveKind kind = instance.kind();
    const bool is_counted_apart = instance[0].is_nonblocking || kind == CollectiveKind::kPrefix ||
                                  kind == CollectiveKind::kCreation || kind == CollectiveKind::kVector ||
                                  kind == CollectiveKind::kNeighborhood;
    draft_.kind = is_counted_apart ? ConditionKind::kOtherCollective : ConditionKind::kCollective;
  }

  void add() {
    switch (instance_.kind()) {
      case CollectiveKind::kBarrier:
      case CollectiveKind::kInit:
      case CollectiveKind::kFinalize:
      case CollectiveKind::kCreation: return add_exchange(false);
      case CollectiveKind::kAllToAll: return everybody_takes_part() ? add_exchange(true) : void();
      case CollectiveKind::kOneToAll: return add_from_root();
      case CollectiveKind::kAllToOne: return add_to_root();
      case CollectiveKind::kPrefix: return add_scan();
      case CollectiveKind::kVector: return add_vector();
      case CollectiveKind::kNeighborhood: return add_neighbors();
      case CollectiveKind::kUnanalysed: return;
    }
  }

 private:
  LocationId location(std::size_t i) const {
    return location_of(instance_.trace, instance_.members[i].rank_index, instance_[i].thread);
  }
  void add_cause(std::size_t i) { draft_.causes.push_back({instance_[i].started, location(i), CommRank(i)}); }
  void add_effect(std::size_t i) { draft_.effects.push_back({instance_[i].end, location(i), CommRank(i)}); }
  bool is_first_group(std::size_t i) const { return i < instance_.local_size(); }

  bool everybody_takes_part() const {
    for (std::size_t i = 0; i < instance_.size(); ++i)
      if (instance_[i].sent == 0 && instance_[i].received == 0) return false;
    return true;
  }

  // Between two groups, each waits for the other one.
  void add_exchange(bool by_bytes) {
    for (const bool from_first : {true, false}) {
      draft_.causes.clear();
      draft_.effects.clear();
      for (std::size_t i = 0; i < instance_.size(); ++i) {
        const bool may_cause = !instance_.is_inter() || is_first_group(i) == from_first;
        const bool may_wait = !instance_.is_inter() || is_first_group(i) != from_first;
        if (may_cause && (!by_bytes || instance_[i].sent > 0)) add_cause(i);
        if (may_wait && (!by_bytes || instance_[i].received > 0)) add_effect(i);
      }
      collector_.add(draft_);
      if (!instance_.is_inter()) return;
    }
  }

  bool exchanges_with(std::size_t i, std::size_t root) const {
    return i != root && (!instance_.is_inter() || is_first_group(i) != is_first_group(root));
  }

  void add_from_root() {
    const std::size_t root = instance_.root();
    if (root == instance_.size() || instance_[root].sent == 0) return;
    add_cause(root);
    for (std::size_t i = 0; i < instance_.size(); ++i)
      if (exchanges_with(i, root) && instance_[i].received > 0) add_effect(i);
    collector_.add(draft_);
  }

  void add_to_root() {
    const std::size_t root = instance_.root();
    if (root == instance_.size() || instance_[root].received == 0) return;
    for (std::size_t i = 0; i < instance_.size(); ++i)
      if (exchanges_with(i, root) && instance_[i].sent > 0) add_cause(i);
    add_effect(root);
    collector_.add(draft_);
  }

  void add_scan() {
    draft_.is_scan = true;
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (instance_[i].sent > 0) add_cause(i);
      if (instance_[i].sent > 0 || instance_[i].received > 0) add_effect(i);
    }
    collector_.add(draft_);
  }

  // Where the trace tells from which others each member receives.
  void add_vector() {
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (!instance_[i].masks.is_valid()) continue;
      const std::size_t first = instance_.is_inter() && is_first_group(i) ? instance_.local_size() : 0;
      instance_.for_each_partner(i, [&](CommRank partner) { add_source(i, first + partner.value); });
      add_receiver(i);
    }
  }

  void add_neighbors() {
    const NeighborLists* lists = instance_.trace.neighbors().find(instance_[0].comm);
    if (!lists) return;
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (!lists->is_known(CommRank(i))) continue;
      const auto sources = lists->sources(CommRank(i));
      if (!instance_[i].masks.is_valid())
        for (const CommRank source : sources) add_source(i, source.value);
      else
        instance_.for_each_source(i, [&](std::uint32_t place) {
          if (place < sources.size()) add_source(i, sources[place].value);
        });
      add_receiver(i);
    }
  }

  void add_source(std::size_t receiver, std::size_t source) {
    if (source < instance_.size() && source != receiver && instance_[source].sent > 0) add_cause(source);
  }
  void add_receiver(std::size_t i) {
    if (instance_[i].received > 0) add_effect(i);
    collector_.add(draft_);
    draft_.causes.clear();
    draft_.effects.clear();
  }

  const CollectiveInstance& instance_;
  Collector& collector_;
  Draft draft_;
};

// ---- one-sided communication ----------------------------------------------------------------------------------------

ClockPoint point(const Trace& trace, const WindowPart& part, Ticks time) {
  return {time, location_of(trace, part.rank, part.record->thread), {}};
}

// Creations and destructions wait for all members. The fence that ends an epoch returns after all accesses to this
// process have begun.
void add_window_collective(const Trace& trace, const WindowCollective& window, Collector& collector) {
  Draft draft{.kind = ConditionKind::kOneSided, .causes = {}, .effects = {}};
  if (window.kind() != WindowRecord::Kind::kFence) {
    for (const WindowCollective::Member& member : window.members) {
      draft.causes.push_back(point(trace, member.part, member.part.record->begin));
      draft.effects.push_back(point(trace, member.part, member.part.record->end));
    }
    return collector.add(draft);
  }
  for (std::size_t target = 0; target < window.members.size(); ++target) {
    const WindowPart& fence = window.members[target].part;
    draft.causes.clear();
    draft.effects = {point(trace, fence, fence.record->end)};
    for (const WindowCollective::Member& origin : window.members)
      for (const WindowRecord* access : origin.accesses)
        if (access->target == window.world_ranks[target])
          draft.causes.push_back(point(trace, {origin.part.rank, access}, access->enter));
    collector.add(draft);
  }
}

// What was read from a target was there to be read: after the target's MPI_Win_post.
void add_access_epoch(const Trace& trace, const AccessEpoch& epoch, Collector& collector) {
  if (!epoch.complete.record) return;
  for (const AccessEpoch::Target& target : epoch.targets) {
    const bool has_read = std::any_of(epoch.accesses.begin(), epoch.accesses.end(), [&](const WindowRecord* access) {
      return access->kind == WindowRecord::Kind::kGet && access->target == target.world_rank;
    });
    if (has_read && target.post.record)
      collector.add({ConditionKind::kOneSided,
                     false,
                     {point(trace, target.post, target.post.record->enter)},
                     {point(trace, epoch.complete, epoch.complete.record->leave)}});
  }
}

// MPI_Win_wait returns after all origins have called MPI_Win_complete.
void add_exposure_epoch(const Trace& trace, const ExposureEpoch& epoch, Collector& collector) {
  if (!epoch.wait.record || epoch.wait.record->is_test) return;
  Draft draft{.kind = ConditionKind::kOneSided, .causes = {}, .effects = {}};
  for (const AccessEpoch* origin : epoch.origins)
    if (origin->complete.record) draft.causes.push_back(point(trace, origin->complete, origin->complete.record->enter));
  draft.effects.push_back(point(trace, epoch.wait, epoch.wait.record->leave));
  collector.add(draft);
}

// ---- OpenMP ---------------------------------------------------------------------------------------------------------

// The threads of one process.
class TeamConditions {
 public:
  TeamConditions(const Trace& trace, RankIndex rank, Collector& collector)
      : rank_(trace.ranks()[rank]), locations_(trace.locations_of(rank)), collector_(collector) {}

  void add() {
    if (rank_.threads.size() < 2) return;
    add_forks_and_joins();
    add_barriers();
    add_locks();
  }

 private:
  ClockPoint at(ThreadIndex thread, Ticks time) const { return {time, locations_[thread], {}}; }

  void add_forks_and_joins() {
    Indexed<ForkIndex, std::vector<Draft>> begins(rank_.forks.size()), ends(rank_.forks.size());
    for (const ThreadIndex t : rank_.threads.ids())
      for (const ParallelEntry& entry : rank_.threads[t].parallels) {
        if (!rank_.forks.has(entry.fork)) continue;
        begins[entry.fork].effects.push_back(at(t, entry.enter));
        ends[entry.fork].causes.push_back(at(t, entry.leave));
      }
    for (const ForkIndex f : rank_.forks.ids()) {
      begins[f].kind = ends[f].kind = ConditionKind::kOpenMp;
      begins[f].causes.push_back(at(kMaster, rank_.forks[f].fork_time));
      ends[f].effects.push_back(at(kMaster, rank_.forks[f].join_time));
      collector_.add(begins[f]);
      if (rank_.forks[f].join_time > rank_.forks[f].fork_time) collector_.add(ends[f]);
    }
  }

  // The k-th barrier of a parallel region belongs to the k-th of the other threads, if all have the same number.
  void add_barriers() {
    using OfThreads = Indexed<ThreadIndex, std::vector<std::vector<const ThreadBarrier*>>>;
    std::map<ForkIndex, OfThreads> visits;
    for (const ThreadIndex t : rank_.threads.ids())
      for (const ThreadBarrier& barrier : rank_.threads[t].barriers) {
        auto& of_fork = visits[barrier.fork];
        of_fork.resize(rank_.threads.size());
        of_fork[t].push_back(&barrier);
      }
    visits.erase(ForkIndex());
    for (const auto& [fork, of_threads] : visits) {
      std::size_t most = 0;
      for (const auto& of_thread : of_threads) most = std::max(most, of_thread.size());
      const bool is_regular = std::all_of(of_threads.begin(), of_threads.end(), [&](const auto& of_thread) {
        return of_thread.empty() || of_thread.size() == most;
      });
      for (std::size_t k = 0; is_regular && k < most; ++k) {
        Draft draft{.kind = ConditionKind::kOpenMp, .causes = {}, .effects = {}};
        for (const ThreadIndex t : of_threads.ids()) {
          if (of_threads[t].empty()) continue;
          draft.causes.push_back(at(t, of_threads[t][k]->enter));
          draft.effects.push_back(at(t, of_threads[t][k]->leave));
        }
        collector_.add(draft);
      }
    }
  }

  // A lock is acquired after it was released.
  void add_locks() {
    struct Held {
      LockAcquisition lock;
      ThreadIndex thread;
    };
    std::vector<Held> held;
    for (const ThreadIndex t : rank_.threads.ids())
      rank_.threads[t].locks.for_each([&](LockIndex, const LockAcquisition& lock, const LockPlace&) {
        held.push_back({lock, t});
      });
    std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) {
      return std::tie(a.lock.lock, a.lock.order, a.thread) < std::tie(b.lock.lock, b.lock.order, b.thread);
    });
    for (std::size_t i = 1; i < held.size(); ++i) {
      const Held &before = held[i - 1], &after = held[i];
      const bool is_next = before.lock.lock == after.lock.lock && before.lock.order + 1 == after.lock.order;
      if (is_next && before.thread != after.thread && before.lock.release > before.lock.acquire)
        collector_.add({ConditionKind::kOpenMp,
                        false,
                        {at(before.thread, before.lock.release)},
                        {at(after.thread, after.lock.acquire)}});
    }
  }

  const LogicalRank& rank_;
  const Indexed<ThreadIndex, std::vector<LocationId>>& locations_;
  Collector& collector_;
};

}  // namespace

Conditions find_conditions(Trace& trace) {
  Collector collector;
  CollectiveMatcher(trace).for_each(
      [&](const CollectiveInstance& instance) { CollectiveConditions(instance, collector).add(); });
  visit_windows(trace, [&](WindowId) {
    return WindowVisitor{
        .collective = [&](const WindowCollective& window) { add_window_collective(trace, window, collector); },
        .access = [&](const AccessEpoch& epoch) { add_access_epoch(trace, epoch, collector); },
        .exposure = [&](const ExposureEpoch& epoch) { add_exposure_epoch(trace, epoch, collector); },
        .locks = {}};
  });
  trace.for_each_hosted([&](RankIndex r) { TeamConditions(trace, r, collector).add(); });
  return collector.take();
}

}  // namespace tarry
