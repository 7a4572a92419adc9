// found_waits.hpp -- what the wait-state patterns find in a trace: one value, which later passes read.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/parallel_array.hpp"
#include "base/rows.hpp"
#include "base/units.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// Waiting time of a message at one of its ends.
struct MessageWait {
  std::uint32_t message = kNone32;  // index into the process's sends or receives; of a probe, into its probes
  Ticks wait = 0;
};

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
  std::uint32_t list = kNone32;
  std::uint32_t cause = kNone32;        // world rank of the process that the others waited for,
  std::uint32_t cause_index = kNone32;  // and the index of its record
  Partners partners = Partners::kNone;
  bool is_synchronised = false;  // this process waited or made others wait
  bool is_pairwise = false;      // each waited for one other: there is no common completion
  bool makes_wait = false;       // pairwise: others waited for this one; which, is in the partner list
};
static_assert(sizeof(CollectiveWait) == 32);

/// The wait of a thread in an OpenMP barrier for the last of its team.
struct BarrierWait {
  Ticks wait = 0;
  std::uint32_t last_barrier = kNone32;  // index of the last thread's visit,
  std::uint16_t last_thread = 0;         // in LogicalThread::barriers of this one
};

/// A wait of one thread for another one of its process to release a lock.
struct LockWait {
  std::uint32_t acquisition = kNone32;  // number in the thread's LockLog
  std::uint32_t held = kNone32;         // the same of the one who was waited for,
  std::uint16_t holder = 0;             // in this thread
  std::uint16_t thread = 0;             // that waited
  Ticks wait = 0;
};

/// A wait of a process in the call of a record of one-sided communication, and the call that it waited for.
struct WindowWait {
  enum class Kind : std::uint8_t {
    kCreate, kFree, kFence, kEarlyFence, kLatePost, kEarlyWait, kLateComplete, kLockContention, kProgress,
  };

  Ticks begin = 0;
  Ticks wait = 0;
  std::uint32_t record = 0;        // index into LogicalRank::window_records
  std::uint32_t cause_rank = 0;    // rank index
  std::uint32_t cause_record = 0;  // of that rank; 0xffffffff for kProgress
  PathIndex cause_path = kNoPath;  // in that rank's call tree
  std::uint16_t cause_thread = 0;
  Kind kind = Kind::kCreate;
};

/// How many processes a synchronisation call synchronised with, and with how many of them nothing was exchanged.
struct WindowPairs {
  std::uint32_t record = 0;  // index into LogicalRank::window_records
  std::uint32_t pairs = 0;
  std::uint32_t unneeded = 0;
};

/// Marks of some of the messages of a process. No memory as long as there are none.
class MessageMarks {
 public:
  bool has(std::uint32_t message) const { return !marks_.empty() && marks_[message]; }
  /// `count`: how many messages there are.
  void set(std::uint32_t message, std::size_t count) {
    if (marks_.empty()) marks_.resize(count);
    marks_[message] = true;
  }
  void clear(std::uint32_t message) {
    if (!marks_.empty()) marks_[message] = false;
  }

 private:
  std::vector<bool> marks_;
};

/// The waits of one process.
struct RankWaits {
  explicit RankWaits(MemoryBudget* budget = nullptr) noexcept
      : late_senders(budget), late_probes(budget), late_receivers(budget), collectives(budget), locks(budget),
        windows(budget), window_pairs(budget) {}

  // In the order of messages:
  Rows<MessageWait> late_senders;    // of receives
  Rows<MessageWait> late_probes;     // of probes
  Rows<MessageWait> late_receivers;  // of sends
  MessageMarks waiting_receives;     // those of the first two, and
  MessageMarks waiting_sends;        // of the third; also of processes hosted elsewhere
  MessageMarks late_sender_calls;    // calls that complete many and wait for a sender: these wait for no receiver
  Rows<CollectiveWait> collectives;  // as LogicalRank::collectives
  std::vector<Rows<BarrierWait>> barriers;  // [thread], as LogicalThread::barriers
  Rows<LockWait> locks;                     // where lock places are kept
  // In the order of records:
  Rows<WindowWait> windows;
  Rows<WindowPairs> window_pairs;
};

/// Lists of world ranks that a collective synchronised.
class PartnerLists {
 public:
  PartnerLists() = default;
  PartnerLists(PartnerLists&& other) noexcept : lists_(std::move(other.lists_)) {}

  /// Returns the number of the list. Thread-safe.
  std::uint32_t add(std::vector<std::uint32_t> world_ranks) {
    const std::lock_guard lock(mutex_);
    lists_.push_back(std::move(world_ranks));
    return static_cast<std::uint32_t>(lists_.size() - 1);
  }
  const std::vector<std::uint32_t>& operator[](std::uint32_t number) const { return lists_[number]; }

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::uint32_t>> lists_;
};

/// Those of all processes.
struct FoundWaits {
  ParallelArray<RankWaits> ranks;  // [rank index]
  PartnerLists lists;

  explicit FoundWaits(const Trace& trace) : ranks(trace.workers(), trace.ranks().size(), trace.budget()) {}
};

}  // namespace tarry
