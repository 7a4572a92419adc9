// found_waits.hpp -- what the wait-state patterns find in a trace: one value, which later passes read.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/arrays/parallel_array.hpp"
#include "base/arrays/rows.hpp"
#include "base/units.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// Waiting time of a message at one of its ends: of a send, a receive or a probe.
template <class MessageIndex>
struct MessageWait {
  MessageIndex message{};
  Ticks wait = 0;
};

/// Waiting time of a receive or a non-blocking collective in the polls before the call that posted or completed it.
struct PolledWait {
  ReceiveIndex receive{};        // none: of a
  CollectiveIndex collective{};  // non-blocking one
  PollRunIndex run{};
  Ticks wait = 0;
  Ticks counted = 0;  // what of it lies in the selected part of the trace
  PollIndex last{};   // until behind which the other process was not there; none: the call itself, or before it
  Ticks in_last = 0;  // what of the wait lies in that poll, or else in the call
};

/// Positions in RankWaits::late_polls, windows, locks and devices.
using PolledWaitIndex = StrongId<struct PolledWaitTag>;
using WindowWaitIndex = StrongId<struct WindowWaitTag>;
using LockWaitIndex = StrongId<struct LockWaitTag>;
using DeviceWaitIndex = StrongId<struct DeviceWaitTag>;

/// Number of a list in PartnerLists.
using PartnerListIndex = StrongId<struct PartnerListTag>;

/// What a process's part in a collective operation came to.
struct CollectiveWait {
  /// With which processes this one synchronised in the operation.
  enum class Partners : std::uint8_t {
    kNone,
    kEverybody,  // all members of the communicator
    kCause,      // the process at `cause` alone
    kList,       // those in PartnerLists at `list`
  };

  Ticks wait = 0;
  Ticks completion = 0;
  PartnerListIndex list{};
  WorldRank cause{};              // the process that the others waited for,
  CollectiveIndex cause_index{};  // and its record
  Partners partners = Partners::kNone;
  bool is_synchronised = false;  // this process waited or made others wait
  bool is_pairwise = false;      // each waited for one other: there is no common completion
  bool makes_wait = false;       // pairwise: others waited for this one; which, is in the partner list
};
static_assert(sizeof(CollectiveWait) == 32);

/// The wait of a thread in an OpenMP barrier for the last of its team.
struct BarrierWait {
  Ticks wait = 0;
  Ticks begin = 0;              // of the wait, as if it were in one piece
  BarrierIndex last_barrier{};  // the visit of the last thread,
  ThreadIndex last_thread{};    // which is this one
};

/// A wait of one thread for another one of its process to release a lock, or to give a signal.
struct LockWait {
  LockIndex acquisition{};
  LockIndex held{};        // the acquisition of the one who was waited for,
  ThreadIndex holder{};    // in this thread
  ThreadIndex thread{};    // that waited
  bool is_signal = false;  // no lock is held: the other thread gives a signal
  Ticks until = 0;         // from the Enter on, until the wait ends
  Ticks wait = 0;          // also in unsuccessful calls before it
  Ticks counted = 0;       // what of it lies in the selected part of the trace
};

/// A wait of a thread for an accelerator to finish some work, or of a queue for a thread to give it work.
struct DeviceWait {
  DeviceCallIndex call{};  // that waits for the work, or launches it
  ThreadIndex queue{};     // that executes it
  ExecutionIndex execution{};
  bool is_of_queue = false;
  Ticks idle_since = 0;  // of a queue
  Ticks wait = 0;
};

/// A wait of a process in the call of a record of one-sided communication, and the call that it waited for.
struct WindowWait {
  enum class Kind : std::uint8_t {
    kCreate,
    kFree,
    kFence,
    kEarlyFence,
    kLatePost,
    kEarlyWait,
    kLateComplete,
    kLockContention,
    kProgress,
    kNotifier,
  };

  Ticks begin = 0;
  Ticks wait = 0;
  WindowRecordIndex record{};
  RankIndex cause_rank{};
  WindowRecordIndex cause_record{};  // of that rank; none for kProgress
  PathIndex cause_path = kNoPath;    // in that rank's call tree
  ThreadIndex cause_thread{};
  Kind kind = Kind::kCreate;
};

/// How many processes a synchronisation call synchronised with, and with how many of them nothing was exchanged.
struct WindowPairs {
  WindowRecordIndex record{};
  std::uint32_t pairs = 0;
  std::uint32_t unneeded = 0;
};

/// Marks of some of the messages or calls of a process. No memory as long as there are none.
template <class Id>
class Marks {
 public:
  bool has(Id id) const { return !marks_.empty() && marks_[id.value]; }
  /// `count`: how many messages or calls there are.
  void set(Id id, std::size_t count) {
    if (marks_.empty()) marks_.resize(count);
    marks_[id.value] = true;
  }
  void clear(Id id) {
    if (!marks_.empty()) marks_[id.value] = false;
  }

 private:
  std::vector<bool> marks_;
};

/// The waits of one process.
struct RankWaits {
  explicit RankWaits(MemoryBudget* budget = nullptr) noexcept
      : late_senders(budget),
        late_probes(budget),
        late_polls(budget),
        late_receivers(budget),
        collectives(budget),
        locks(budget),
        devices(budget),
        windows(budget),
        window_pairs(budget) {}

  // In the order of messages:
  Rows<MessageWait<ReceiveIndex>> late_senders;
  Rows<MessageWait<ProbeIndex>> late_probes;
  Indexed<PolledWaitIndex, Rows<PolledWait>> late_polls;
  Rows<MessageWait<SendIndex>> late_receivers;
  Marks<ReceiveIndex> waiting_receives;  // those of the first three, and
  Marks<SendIndex> waiting_sends;        // of the fourth; also of processes hosted elsewhere
  Marks<CallIndex> late_sender_calls;    // calls that complete many and wait for a sender: these wait for no receiver
  Indexed<CollectiveIndex, Rows<CollectiveWait>> collectives;
  Indexed<ThreadIndex, std::vector<Indexed<BarrierIndex, Rows<BarrierWait>>>> barriers;
  Indexed<LockWaitIndex, Rows<LockWait>> locks;  // where lock places are kept
  Indexed<DeviceWaitIndex, Rows<DeviceWait>> devices;
  // In the order of records:
  Rows<WindowWait> windows;
  Rows<WindowPairs> window_pairs;
};

/// Lists of processes that a collective synchronised.
class PartnerLists {
 public:
  PartnerLists() = default;
  PartnerLists(PartnerLists&& other) noexcept : lists_(std::move(other.lists_)) {}

  /// Returns the number of the list. Thread-safe.
  PartnerListIndex add(std::vector<WorldRank> list) {
    const std::lock_guard lock(mutex_);
    lists_.push_back(std::move(list));
    return PartnerListIndex(lists_.size() - 1);
  }
  const std::vector<WorldRank>& operator[](PartnerListIndex number) const { return lists_[number]; }

 private:
  std::mutex mutex_;
  Indexed<PartnerListIndex, std::vector<std::vector<WorldRank>>> lists_;
};

/// Those of all processes.
struct FoundWaits {
  Indexed<RankIndex, ParallelArray<RankWaits>> ranks;
  PartnerLists lists;

  explicit FoundWaits(const Trace& trace) : ranks(trace.workers(), trace.ranks().size(), trace.budget()) {}
};

}  // namespace tarry
