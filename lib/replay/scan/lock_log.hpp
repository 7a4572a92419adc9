// lock_log.hpp -- the acquisitions of locks by one thread: there may be as many as a quarter of the events.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/arrays/indexed.hpp"
#include "base/arrays/rows.hpp"
#include "base/units.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"
#include "replay/scan/time_log.hpp"

namespace tarry {

/// The end of a created thread counts as a lock. The thread acquires it where it ends, and those that join it share it.
/// Locks of programs have addresses, or 32 bits.
constexpr std::uint64_t kEndOfThread = std::uint64_t{1} << 63;

constexpr std::uint64_t end_of_thread(std::uint64_t contingent, std::uint64_t sequence) {
  return kEndOfThread | (mix_bits(contingent) ^ sequence);
}

constexpr bool is_end_of_thread(std::uint64_t lock) { return (lock & kEndOfThread) != 0; }

/// An acquisition of a lock by one thread.
struct LockAcquisition {
  std::uint64_t lock = 0;
  std::uint64_t order = 0;
  Ticks enter = 0;  // of the region that acquires
  Ticks acquire = 0;
  Ticks release = 0;  // of this acquisition
  PathIndex path = kNoPath;
  bool is_shared = false;        // with others that read; has no order
  bool is_unsuccessful = false;  // a wait whose time was up
};

/// A moment of one thread that may become a synchronisation point.
struct ThreadMoment {
  Ticks time = 0;
  PathIndex path = kNoPath;
  LogPosition position = 0;        // in the thread's time log
  std::uint32_t calls_before = 0;  // MPI calls of the process recorded before it
  std::uint32_t event = 0;         // number within the thread; orders it among moments without time in between
};

/// Position of an acquisition in the thread's time log: where its region was entered, and where it released the lock.
struct LockPlace {
  ThreadMoment enter;    // at LockAcquisition::enter, in its path
  ThreadMoment release;  // as `enter` while it is held, and if it never is released
};

/// The acquisitions of one thread in their order, some 20 bytes each: what changes from one to the next. They can be
/// read from front to back only.
class LockLog {
 public:
  explicit LockLog(MemoryBudget* budget = nullptr) noexcept : bytes_(budget), late_(budget) {}

  std::uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

  /// Calls visit(number, acquisition, place) for all that were written, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    Record record;
    const std::uint8_t* at = bytes_.data();
    const LateRelease* late = late_.begin();
    for (const LockIndex number : IdRange<LockIndex>(count_)) {
      at = decode(at, record);
      if (late == late_.end() || late->number > number) [[likely]] {
        visit(number, record.lock, record.place);
        continue;
      }
      Record released = record;
      for (; late != late_.end() && late->number == number; ++late) late->apply(released);
      visit(number, released.lock, released.place);
    }
  }

  void clear() { *this = LockLog(); }

  LockLog copy() const {
    LockLog same(bytes_.budget());
    same.bytes_.append(bytes_);
    same.late_.append(late_);
    same.count_ = count_;
    return same;
  }

 private:
  friend class LockLogWriter;

  struct Record {
    LockAcquisition lock;
    LockPlace place;
  };

  struct LateRelease {
    LockIndex number{};
    bool has_moment;
    Ticks time;
    ThreadMoment moment;

    void apply(Record& record) const {
      record.lock.release = time;
      if (has_moment) record.place.release = moment;
    }
  };

  // What is written of a record: differences to the one before, or within it.
  enum Field : std::uint8_t {
    kLock,
    kOrder,
    kEnter,
    kAcquire,
    kRelease,
    kPath,
    kFlags,
    kPosition,
    kCalls,
    kEvent,
    kReleasePosition,
    kReleaseCalls,
    kReleaseEvent,
    kReleasePath,
    kReleaseTime,
    kFields,
  };
  using Fields = std::array<std::uint64_t, kFields>;

  static Fields differences(const Record& before, const Record& record);
  static const std::uint8_t* decode(const std::uint8_t* at, Record& record);
  void append(const Fields& fields);

  Rows<std::uint8_t> bytes_;
  Rows<LateRelease> late_;  // by number
  std::uint32_t count_ = 0;
};

/// Writes the log of a thread while its events are read. The latest acquisitions may still be changed in place. A lock
/// that is held across many others gets an entry of its own when it is released.
class LockLogWriter {
 public:
  explicit LockLogWriter(LockLog& log) : log_(log) {}

  /// Returns the number of the acquisition.
  LockIndex add(const LockAcquisition& lock, const LockPlace& place);

  /// The acquisition ends; called again, it ends later. Without a moment, its place stays as it is.
  void release(LockIndex number, Ticks time, const std::optional<ThreadMoment>& moment);

  /// It was an unsuccessful wait, if it is the latest one and a wait.
  void mark_unsuccessful(LockIndex number);

  /// No more will come.
  void finish();

 private:
  static constexpr std::uint32_t kLatest = 64;

  LockLog::Record& latest(LockIndex number) { return latest_[number.value % kLatest]; }
  void write(const LockLog::Record& record);

  LockLog& log_;
  std::uint32_t written_ = 0;            // of LockLog::count_; the others are in latest_
  std::vector<LockLog::Record> latest_;  // a ring
  LockLog::Record before_;               // the one that was written last
};

}  // namespace tarry
