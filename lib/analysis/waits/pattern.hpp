// pattern.hpp -- what a wait-state pattern gets to see, and the list of all of them.
//
// A pattern is one file. Message patterns look at one process with all its messages matched; collective patterns look
// at one operation with all its members. docs/ADDING_A_PATTERN.md leads through the steps.
#pragma once

#include <span>
#include <vector>

#include "analysis/instances/instances.hpp"
#include "report/metrics/metrics.hpp"
#include "analysis/compatibility.hpp"
#include "replay/matching/match_collectives.hpp"
#include "replay/matching/match_windows.hpp"
#include "analysis/waits/found_waits.hpp"
#include "analysis/waits/window_findings.hpp"
#include "replay/trace.hpp"
#include "analysis/severities.hpp"

namespace tarry {

/// One process during a message pattern: its records, and where values go.
struct RankContext {
  const Trace& trace;
  const LogicalRank& rank;
  std::span<const LockLog> locks;  // [thread]; empty: none
  RankWaits& waits;                // what the patterns before found, and where this one puts what it finds
  ThreadSeverities& threads;
  const Compatibility& compatibility;
  InstanceCollector* instances = nullptr;      // nullptr: single waits are not asked for
  std::span<const PathIndex> to_unified = {};  // call paths of the process; those of iterations share one

  void add(const MpiCall& call, Metric metric, double value) const {
    threads[call.thread].add(metric, call.path, value);
  }

  /// Books a wait from `begin` on in a call, as far as it counts, and remembers who was waited for. `part` is only
  /// remembered.
  void add_wait(const MpiCall& call, Metric metric, Ticks begin, Ticks wait, const WaitCause& cause,
                Metric part = Metric::kNone) const {
    if (wait <= 0) return;
    if (!instances && !rank.threads[call.thread].selected) return add(call, metric, static_cast<double>(wait));
    book_wait({.metric = metric,
               .part = part,
               .thread = call.thread,
               .path = call.path,
               .enter = call.enter,
               .exit = call.leave(),
               .begin = begin,
               .wait = wait,
               .full_wait = wait,
               .cause = cause});
  }

  /// The same for a wait that is described completely, but for its process.
  void book_wait(WaitInstance instance) const;  // book_wait.cpp

  /// Books a wait whose `wait` lies in the selected part of the trace already.
  void book_counted(WaitInstance instance) const;

  RankIndex rank_index() const { return RankIndex(static_cast<std::size_t>(&rank - trace.ranks().data())); }

  /// What of [begin, end) counts, for a thread of the process: all of it unless a part of the trace was asked for.
  Ticks counted(ThreadIndex thread, Ticks begin, Ticks end) const { return rank.threads[thread].counted(begin, end); }
  /// Whether what happens at one moment counts.
  bool counts(ThreadIndex thread, Ticks time) const { return rank.threads[thread].counts(time); }

  /// Whether a call that completes many waits for a late sender; known after late_sender().
  bool has_late_sender(CallIndex call) const { return waits.late_sender_calls.has(call); }

  /// What is known of a part that this process has in a collective operation.
  CollectiveWait& found(const Collective& part) const { return waits.collectives[part.index]; }

  /// The matched partner of a receive or send of this process, with the calls at its side.
  const Send& sender_side(const Receive& receive) const {
    return trace.ranks()[rank.sender_of(receive)].sends[receive.send];
  }
  const Receive& receiver_side(const Send& send) const {
    return trace.ranks()[rank.receiver_of(send)].receives[send.receive];
  }
  /// The call that sent what a receive waited for.
  WaitCause cause_of(const Receive& receive) const {
    const RankIndex sender = rank.sender_of(receive);
    const MpiCall& call = call_of_rank(sender, sender_side(receive).call);
    return {.rank = sender, .thread = call.thread, .path = call.path};
  }
  /// The call that posted the receive which a send waited for.
  WaitCause cause_of(const Send& send) const {
    const RankIndex receiver = rank.receiver_of(send);
    const MpiCall& call = call_of_rank(receiver, receiver_side(send).request_call);
    return {.rank = receiver, .thread = call.thread, .path = call.path};
  }
  const MpiCall& call_of_rank(RankIndex index, CallIndex call) const { return trace.ranks()[index].calls[call]; }
};

// Patterns over one process: messages, threads, and what the patterns below found there.
#define PROCESS_PATTERN(name) void name(const RankContext& context);
#include "analysis/waits/patterns.def"

void example(const RankContext& context);  // example.cpp: finds nothing, is not run; to copy from

/// Keeps the recent late-sender waits of one process and finds those that were in wrong order
/// (late_sender_wrong_order.cpp).
class WrongOrderDetector {
 public:
  explicit WrongOrderDetector(const RankContext& context) : context_(context) {}

  /// Every received message, in order, after its own late-sender handling.
  void message_received(const Receive& receive);

  /// A receive that is a late-sender wait of so many ticks.
  void late_sender_found(const Receive& receive, Ticks wait);

 private:
  struct Waited {
    Ticks sent;           // when the message it waited for was sent
    std::uint32_t order;  // of the wait
    Ticks wait;
    const Receive* receive;
    bool operator<(const Waited& other) const { return sent < other.sent; }
  };

  void book(const Waited& waited, const Receive& classified_by, const Receive& revealing);
  bool is_same_source(const Receive& a, const Receive& b) const;

  const RankContext& context_;
  std::vector<Waited> recent_;    // a heap, the latest send on top
  std::vector<Waited> revealed_;  // by one message
  std::uint32_t waits_ = 0;
};

/// What is found of parts that are hosted elsewhere.
using ForeignWaits = Indexed<ForeignPart, Rows<CollectiveWait>>;

/// One operation during a collective pattern: its parts, and what is found of each of them.
class CollectiveOperation {
 public:
  CollectiveOperation(const CollectiveInstance& instance, FoundWaits& waits, ForeignWaits& foreign)
      : instance_(instance), waits_(waits), foreign_(foreign) {}

  const CollectiveInstance& instance() const { return instance_; }
  const Trace& trace() const { return instance_.trace; }
  CollectiveKind kind() const { return instance_.kind(); }
  std::size_t size() const { return instance_.size(); }
  std::size_t local_size() const { return instance_.local_size(); }
  bool is_inter() const { return instance_.is_inter(); }
  std::size_t root() const { return instance_.root(); }
  WorldRank world_rank(std::size_t i) const { return instance_.members[i].world_rank; }
  const Collective& operator[](std::size_t i) const { return instance_[i]; }
  template <class Visit>
  void for_each_partner(std::size_t i, Visit visit) const {
    instance_.for_each_partner(i, visit);
  }
  template <class Visit>
  void for_each_source(std::size_t i, Visit visit) const {
    instance_.for_each_source(i, visit);
  }

  /// Where a pattern puts what it finds of the part at position `i`.
  CollectiveWait& found(std::size_t i) const {
    const CollectiveInstance::Member& member = instance_.members[i];
    return member.foreign.is_valid() ? foreign_[member.foreign]
                                     : waits_.ranks[member.rank_index].collectives[member.part->index];
  }
  PartnerLists& lists() const { return waits_.lists; }

 private:
  const CollectiveInstance& instance_;
  FoundWaits& waits_;
  ForeignWaits& foreign_;
};

// Collective patterns: set is_synchronised, cause, wait and completion of what is found.
void wait_at_barrier(const CollectiveOperation& instance);  // wait_at_barrier.cpp
void late_broadcast(const CollectiveOperation& instance);   // late_broadcast.cpp
void wait_at_nxn(const CollectiveOperation& instance);      // wait_at_nxn.cpp
void early_reduce(const CollectiveOperation& instance);     // early_reduce.cpp
void early_scan(const CollectiveOperation& instance);       // early_scan.cpp
void dependent_waits(const CollectiveOperation& instance);  // dependent_waits.cpp: each waits for those it needs
void init_finalize(const CollectiveOperation& instance);    // init_finalize.cpp

// One-sided patterns: add waits and pairs to the findings of a window.
void rma_wait_at_create(const WindowCollective& instance, WindowFindings& findings);    // rma_wait_at_create.cpp
void rma_wait_at_fence(const WindowCollective& fence, WindowFindings& findings);        // rma_wait_at_fence.cpp
void rma_late_post(const AccessEpoch& epoch, WindowFindings& findings);                 // rma_late_post.cpp
void rma_early_wait(const ExposureEpoch& epoch, WindowFindings& findings);              // rma_early_wait.cpp
void rma_lock_contention(std::span<const LockEpoch> epochs, WindowFindings& findings);  // rma_lock_contention.cpp
void shmem_late_notifier(const ChangedMemory& memory, WindowFindings& findings);        // shmem_late_notifier.cpp
void rma_pairwise(const WindowCollective& fence, WindowFindings& findings);             // rma_pairwise.cpp
void rma_pairwise(const AccessEpoch& epoch, WindowFindings& findings);
void rma_pairwise(const ExposureEpoch& epoch, WindowFindings& findings);

/// After all windows: waits for processes that are not in MPI (rma_wait_for_progress.cpp). Collective over the analysis
/// processes.
void rma_wait_for_progress(const Trace& trace, FoundWaits& waits);

/// All wait for the last to begin, if none has left by then (rma_wait_at_create.cpp).
void rma_wait_for_last(const WindowCollective& instance, WindowWait::Kind kind, WindowFindings& findings);

// ---- shared by the collective patterns (collective_frame.cpp) ------------------------------------------------------

/// Waits and completion of the members marked is_synchronised, for the cause at position `cause`:
///   U_i = min(BEGIN of the cause, X_i), wait_i = max(0, U_i - B_i), completion_i = max(0, X_i - max(earliest, U_i)).
void settle(const CollectiveOperation& instance, std::size_t cause, Ticks earliest_end);

/// All members wait for one another.
void synchronise_everybody(const CollectiveOperation& instance);

/// The synchronised members but for the one at position `except` (instance.size(): all), as a partner list.
PartnerListIndex synchronised_members(const CollectiveOperation& instance, std::size_t except);

/// The members marked is_synchronised wait for one another.
void synchronise_one_another(const CollectiveOperation& instance);

/// Smallest END among the synchronised members.
Ticks earliest_end(const CollectiveOperation& instance);

/// Position of the member with the latest BEGIN among those for which `counts(part)` holds; the lowest rank on ties;
/// instance.size() if there is none.
template <class Counts>
std::size_t last_to_begin(const CollectiveOperation& instance, Counts counts) {
  std::size_t last = instance.size();
  for (std::size_t i = 0; i < instance.size(); ++i)
    if (counts(instance[i]) && (last == instance.size() || instance[i].begin > instance[last].begin)) last = i;
  return last;
}

}  // namespace tarry
