// window_records.hpp -- what the analysis keeps of one-sided communication: records on windows, waits found there.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "replay/call_tree.hpp"

namespace tarry {

/// One process's record on a window: a synchronisation, or an access to another process's memory. The call that holds
/// it is described here as well, since the analysis of a window may run in another analysis process.
struct WindowRecord {
  enum class Kind : std::uint8_t {
    kCreate, kFree, kFence,         // collective over the window
    kPost, kWait, kStart, kComplete,  // with the processes of a group
    kLock, kUnlock,                 // of one process's part of the window, or of all (kEverybody)
    kFlush,                         // the accesses to one process are complete there
    kPut, kGet, kAtomic,
  };
  static constexpr std::uint32_t kEverybody = 0xffffffff;

  Ticks begin = 0;  // BEGIN record of a collective; else equal to `end`
  Ticks end = 0;    // of the record
  Ticks enter = 0;  // of the call
  Ticks leave = 0;
  Bytes sent = 0;
  Bytes received = 0;
  std::uint32_t window = 0;
  std::uint32_t partner = kEverybody;  // world rank of the target of locks, flushes and accesses; group of kPost ... kComplete
  std::uint32_t call = 0;              // index into LogicalRank::calls
  std::uint32_t index = 0;             // of this record in LogicalRank::window_records
  PathIndex path = kNoPath;            // of the call
  std::uint16_t thread = 0;
  Kind kind = Kind::kCreate;
  bool is_exclusive = false;  // of locks
  bool is_passive = false;    // of accesses: under a lock
  bool is_test = false;       // of kWait: MPI_Win_test, which never waits

  bool is_access() const { return kind >= Kind::kPut; }
};

/// A wait of a process in the call of a record, and the call that it waited for.
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

/// A call of this process that another one waited for.
struct WindowCause {
  std::uint32_t record = 0;  // index into LogicalRank::window_records
  std::uint32_t waiter = 0;  // rank index
};

/// How many processes a synchronisation call synchronised with, and with how many of them nothing was exchanged.
struct WindowPairs {
  std::uint32_t record = 0;  // index into LogicalRank::window_records
  std::uint32_t pairs = 0;
  std::uint32_t unneeded = 0;
};

/// When a process was in MPI: visits of all its threads, overlapping ones unified.
struct MpiVisit {
  Ticks enter = 0;
  Ticks leave = 0;
  PathIndex path = kNoPath;  // of the first call
  std::uint32_t thread = 0;
};

}  // namespace tarry
