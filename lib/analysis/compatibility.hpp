// compatibility.hpp -- every place where --compat computes what the reference analyser computes and we think otherwise.
#pragma once

#include <array>
#include <bit>

namespace tarry {

/// All off by default; --compat turns all on. docs/METRICS.md, "Where the two modes differ".
struct Quirks {
  /// Receives of one channel take messages in the order in which they complete, not in which they were posted.
  bool match_by_completion = false;

  /// Only the last 100 late-sender instances of a process can turn out to be in wrong order.
  bool short_wrong_order_memory = false;

  /// When one message reveals several waits as wrong order, all are classified by the first of them, and sources are
  /// compared as ranks in whatever communicator they were received.
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

  /// Times are floating-point seconds since the origin of the clock. Where the last thread at an OpenMP barrier spent no
  /// more ticks anywhere than one that waits for it, the remainders of rounding are the delay.
  bool rounds_times_of_threads = false;

  /// At exact ties in an OpenMP barrier the critical path continues on all threads that did not wait.
  bool forks_path_at_ties = false;

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

  /// Inter-partition imbalance is scaled by itself over the call paths that a location lacks, instead of being the part
  /// of its imbalance impact that falls on them.
  bool scales_inter_partition_apart = false;

  /// A location with more time of its own than the critical path is long (before MPI_Init, in and behind MPI_Finalize)
  /// makes the impact of others less, instead of waiting for nothing.
  bool subtracts_time_off_path = false;

  /// Records of one-sided communication are not read: no waits, no bytes, no pairs.
  bool ignores_one_sided = false;

  /// Non-blocking collectives neither wait nor count.
  bool ignores_nonblocking_collectives = false;

  /// Operations with a count for each pair (Alltoallv, Alltoallw) have no wait states.
  bool ignores_vector_exchanges = false;

  /// Nobody waits in neighbourhood collectives.
  bool ignores_neighborhoods = false;

  /// Creating a communicator or a file synchronises nobody.
  bool ignores_creation = false;

  /// Of operations between two groups those with a root have no wait states; in others all members wait for all.
  bool ignores_groups = false;

  /// Nobody waits in MPI_Probe and MPI_Mprobe.
  bool ignores_probes = false;

  /// Early Scan and Wait at Finalize have no costs, and the critical path does not follow Early Scan.
  bool scan_and_finalize_cost_nothing = false;

  /// Functions of read-write locks count as POSIX threads and no more; nobody waits in them.
  bool ignores_rwlocks = false;

  /// Waits for locks between threads of a process have no delay costs and cause none; the critical path stays with
  /// those who wait. Waits for locks of POSIX threads count as work in critical-path imbalance.
  bool thread_locks_cost_nothing = false;

  static Quirks none() { return {}; }
  static Quirks compat() {
    std::array<bool, sizeof(Quirks)> all;
    all.fill(true);
    return std::bit_cast<Quirks>(all);
  }
};

}  // namespace tarry
