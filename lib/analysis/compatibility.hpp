// compatibility.hpp -- every difference between --compat, which computes what the reference analyser does, and us.
//
// Each has one switch, with its reason, and the decision that passes ask for.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>

#include "base/units.hpp"
#include "replay/logical_rank.hpp"
#include "replay/matching/match_messages.hpp"
#include "replay/scan/scan.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {

/// All off by default; --compat turns all on. docs/METRICS.md, "Where the two modes differ".
struct CompatibilitySwitches {
  /// Receives of one channel take messages in the order in which they complete, not in which they were posted.
  bool match_by_completion = false;

  /// Only the last 100 late-sender instances of a process can turn out to be in wrong order.
  bool short_wrong_order_memory = false;

  /// When one message reveals several waits as wrong order, all are classified by the first of them. Sources are
  /// compared by their ranks, even if the communicators differ.
  bool wrong_order_by_first = false;

  /// A function with the role of point-to-point counts as point-to-point even if it belongs elsewhere by its name
  /// (MPI_Init in some traces).
  bool point_to_point_by_role = false;

  /// The completion time after a Late Receiver has the wrong sign: too much of the operation counts as waiting.
  bool negates_late_receiver_completion = false;

  /// Costs of a collective reach the waits of the delayer one individual start too late.
  bool propagates_after_next_start = false;

  /// Short-term costs of messages are at most the delay itself; what is above is lost.
  bool clips_message_costs = false;

  /// A wait without delay or earlier wait behind it has no cost at all.
  bool drops_causeless_waits = false;

  /// Long-term costs of OpenMP barriers end at the next OpenMP barrier.
  bool drops_thread_barrier_chains = false;

  /// Times are floating-point seconds since the origin of the clock. The last thread at an OpenMP barrier may have
  /// spent no more ticks anywhere than one that waits for it. Then the remainders of rounding are the delay.
  bool rounds_times_of_threads = false;

  /// At exact ties in an OpenMP barrier the critical path continues on all threads that did not wait.
  bool forks_path_at_ties = false;

  /// A thread waits in an OpenMP barrier also while it executes tasks there.
  bool waits_while_working = false;

  /// Worker threads do nothing after the last barrier of a parallel region, as far as performance impact is concerned.
  bool forgets_last_worker_part = false;

  /// A location that does all of the critical path makes 0/0 of an impact metric, which then is empty everywhere.
  bool empties_on_zero_division = false;

  /// Critical-path imbalance compares with the average over all locations, not over those that visit the call path.
  bool averages_over_all = false;

  /// Time vectors hold at most 128 call paths: larger programs lose time in delays and on the critical path.
  bool caps_time_vectors = false;

  /// Costs of N-to-1 operations do not reach the cause's waits in OpenMP barriers.
  bool reduce_spares_thread_waits = false;

  /// Costs of a collective of two processes do not reach the cause's waits in OpenMP barriers if the two last met in a
  /// message.
  bool pair_spares_thread_waits = false;

  /// The critical path leaves out or repeats what differs in the time from Enter to BEGIN of a collective.
  bool path_ignores_wrappers = false;

  /// Only waits that lead to waits in messages propagate; those that lead to waits in collectives are terminal.
  bool propagates_to_messages_only = false;

  /// Inter-partition imbalance is scaled by itself over the call paths that a location lacks. With us it is the part of
  /// the location's imbalance impact that falls on them, and the calls of MPI_Init count as one.
  bool scales_inter_partition_apart = false;

  /// A location may have more time of its own than the critical path is long: before MPI_Init, in MPI_Finalize and
  /// after it. Then the impact of other locations gets less. With us a location waits as long as its waits are.
  bool subtracts_time_off_path = false;

  /// Records of one-sided communication are not read: no waits, no bytes, no pairs.
  bool ignores_one_sided = false;

  /// Non-blocking collectives neither wait nor count.
  bool ignores_nonblocking_collectives = false;

  /// Operations with a count for each pair (Alltoallv, Alltoallw) have no wait states.
  bool ignores_vector_exchanges = false;

  /// No process waits in neighbourhood collectives.
  bool ignores_neighborhoods = false;

  /// Creating a communicator or a file synchronises no processes.
  bool ignores_creation = false;

  /// Of operations between two groups those with a root have no wait states; in others all members wait for all.
  bool ignores_groups = false;

  /// No process waits in MPI_Probe and MPI_Mprobe.
  bool ignores_probes = false;

  /// No process waits in unsuccessful tests and probes, and the time between them is computation.
  bool ignores_polls = false;

  /// Early Scan and Wait at Finalize have no costs, and the critical path does not follow Early Scan.
  bool scan_and_finalize_cost_nothing = false;

  /// Functions of read-write locks count as POSIX threads and no more; no thread waits in them.
  bool ignores_rwlocks = false;

  /// No thread waits for signals of conditions, for semaphores, at barriers or for the ends of POSIX threads. A wait
  /// for a condition is Lock Contention from its Enter on.
  bool ignores_signals = false;

  /// The events of queues of accelerators are ignored: no thread waits for their work, and they have no columns.
  bool ignores_accelerators = false;

  /// Waits for locks between threads of a process have no delay costs and cause none; the critical path stays with
  /// those who wait. Waits for locks of POSIX threads count as work in critical-path imbalance.
  bool thread_locks_cost_nothing = false;

  static CompatibilitySwitches all() {
    std::array<bool, sizeof(CompatibilitySwitches)> switches;
    switches.fill(true);
    return std::bit_cast<CompatibilitySwitches>(switches);
  }
};

/// The policy that every pass is handed: it answers what to compute, and keeps the switches to itself.
class Compatibility {
 public:
  Compatibility() = default;
  /// With some of the switches, for tests.
  Compatibility(const CompatibilitySwitches& switches) : on_(switches) {}

  static Compatibility none() { return {}; }
  static Compatibility reference() { return CompatibilitySwitches::all(); }

  // ---- what is read and matched ----

  MatchOrder match_order() const { return on_.match_by_completion ? MatchOrder::kCompleted : MatchOrder::kPosted; }
  KeptDetails kept_details() const {
    return {.lock_places = thread_locks_synchronise(),
            .barrier_seconds = on_.rounds_times_of_threads,
            .poll_gaps = has_polled_waits(),
            .poll_sleeps = has_polled_waits()};
  }

  // ---- which waits there are ----

  bool has_one_sided_waits() const { return !on_.ignores_one_sided; }
  bool has_probe_waits() const { return !on_.ignores_probes; }
  bool has_polled_waits() const { return !on_.ignores_polls; }
  bool has_signal_waits() const { return !on_.ignores_signals; }
  /// Whether queues of accelerators take part.
  bool has_device_waits() const { return !on_.ignores_accelerators; }
  bool has_rwlock_waits() const { return !on_.ignores_rwlocks; }

  /// Whether a non-blocking collective is an operation at all.
  bool is_counted(const Collective& part) const { return !part.is_nonblocking || !on_.ignores_nonblocking_collectives; }
  /// Whether members of a collective wait. `is_inter`: it is an operation between two groups.
  bool has_waits(const Collective& part, bool is_inter) const {
    const bool has_root = part.kind == CollectiveKind::kOneToAll || part.kind == CollectiveKind::kAllToOne;
    return is_counted(part) && !(part.kind == CollectiveKind::kVector && on_.ignores_vector_exchanges) &&
           !(part.kind == CollectiveKind::kNeighborhood && on_.ignores_neighborhoods) &&
           !(part.kind == CollectiveKind::kCreation && on_.ignores_creation) &&
           !(is_inter && has_root && on_.ignores_groups);
  }
  /// Whether each member waits for those alone that it needs.
  bool waits_are_pairwise(const Collective& part, bool is_inter) const {
    if (is_inter) return !on_.ignores_groups;
    return part.is_nonblocking || part.kind == CollectiveKind::kVector || part.kind == CollectiveKind::kCreation ||
           part.kind == CollectiveKind::kNeighborhood ||
           (part.kind == CollectiveKind::kPrefix && !on_.scan_and_finalize_cost_nothing);
  }

  /// How many late-sender waits of a process can turn out to be in wrong order: the latest.
  std::size_t wrong_order_memory() const {
    return on_.short_wrong_order_memory ? 100 : std::numeric_limits<std::size_t>::max();
  }
  /// Of the waits that one message reveals as wrong order: the one by which a wait is classified.
  template <class Wait>
  const Wait& classifying(const Wait& first, const Wait& own) const {
    return on_.wrong_order_by_first ? first : own;
  }
  /// Whether sources are compared as ranks in whatever communicator they were received.
  bool compares_sources_by_rank() const { return on_.wrong_order_by_first; }

  /// Whether a function that belongs to `by_name` counts as `by_role`, too.
  bool counts_by_role_too(Metric by_name, Metric by_role) const {
    return on_.point_to_point_by_role && by_role == Metric::kMpiPointToPoint && by_name != by_role;
  }

  // ---- synchronisation points ----

  bool thread_locks_synchronise() const { return !on_.thread_locks_cost_nothing; }
  /// Completion of a send after its Late Receiver, from the time since the receive was posted.
  Ticks completion_after_late_receiver(Ticks since) const {
    return on_.negates_late_receiver_completion ? std::min<Ticks>(0, since) : std::max<Ticks>(0, since);
  }
  /// When a thread in an OpenMP barrier has nothing to do but to wait, and what it does there before.
  Ticks ready_in(const ThreadBarrier& barrier) const { return on_.waits_while_working ? barrier.enter : barrier.ready; }
  Ticks work_in(const ThreadBarrier& barrier) const { return on_.waits_while_working ? 0 : barrier.work; }

  // ---- root causes ----

  /// Whether waits of a kind have costs elsewhere.
  bool has_costs(WaitKind kind) const { return kind != WaitKind::kFinalize || !on_.scan_and_finalize_cost_nothing; }
  /// Whether the starts of all members of an operation count for those who waited, each to the next one.
  bool propagates_after_next_start() const { return on_.propagates_after_next_start; }
  /// Whether costs of a wait reach no waits in OpenMP barriers. `follows_message`: the wait is in an operation of two
  /// processes, and their last synchronisation before was a message.
  bool spares_thread_waits(WaitKind kind, bool follows_message) const {
    return (on_.reduce_spares_thread_waits && kind == WaitKind::kAllToOne) ||
           (on_.pair_spares_thread_waits && follows_message);
  }
  /// What each tick of a delay costs, at most.
  double limited_share(WaitKind kind, double share) const {
    return on_.clips_message_costs && cost_of(kind).source == WaitSource::kMessages ? std::min(share, 1.0) : share;
  }
  bool charges_causeless_waits() const { return !on_.drops_causeless_waits; }
  /// Whether costs of thread barriers are passed on at a thread barrier.
  bool continues_thread_barrier_chains() const { return !on_.drops_thread_barrier_chains; }
  /// Whether a wait at the end of a chain decides that those before propagate.
  bool propagates_to(WaitKind kind) const {
    return !on_.propagates_to_messages_only || cost_of(kind).source == WaitSource::kMessages;
  }
  bool rounds_times_of_threads() const { return on_.rounds_times_of_threads; }
  bool caps_time_vectors() const { return on_.caps_time_vectors; }

  // ---- critical path and performance impact ----

  bool forks_path_at_ties() const { return on_.forks_path_at_ties; }
  /// Whether the path leaves a collective where the wait begins, and not where its call does.
  bool path_ignores_wrappers() const { return on_.path_ignores_wrappers; }
  /// Whether what a thread does after its last barrier counts.
  bool counts_last_part(ThreadIndex thread) const { return thread == kMaster || !on_.forgets_last_worker_part; }
  bool empties_on_zero_division() const { return on_.empties_on_zero_division; }
  /// By how many the work on a call path is divided.
  double sharers(double locations, double visitors) const {
    return on_.averages_over_all ? locations : std::max(1.0, visitors);
  }
  /// Whether all calls of MPI_Init count as one call path where locations lack what the path does.
  bool joins_starts() const { return !on_.scales_inter_partition_apart; }
  bool scales_inter_partition_apart() const { return on_.scales_inter_partition_apart; }
  bool subtracts_time_off_path() const { return on_.subtracts_time_off_path; }
  /// Whether a wait counts as no work.
  bool is_no_work(WaitRole role) const {
    return role == WaitRole::kWait || (role == WaitRole::kWorkToReference && !on_.thread_locks_cost_nothing);
  }

 private:
  CompatibilitySwitches on_;
};

}  // namespace tarry
