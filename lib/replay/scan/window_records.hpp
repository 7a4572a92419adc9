// window_records.hpp -- what the analysis keeps of one-sided communication: records on windows.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// One process's record on a window: a synchronisation, or an access to another process's memory. The call that holds
/// it is described here as well, since the analysis of a window may run in another analysis process.
struct WindowRecord {
  enum class Kind : std::uint8_t {
    kCreate,
    kFree,
    kFence,  // collective over the window
    kPost,
    kWait,
    kStart,
    kComplete,  // with the processes of a group
    kLock,
    kUnlock,  // of one process's part of the window, or of all
    kFlush,   // the accesses to one process are complete there
    kChange,  // of OpenSHMEM: a value that the process has waited for is there
    kQuiet,   // the same: accesses before are complete
    kPut,
    kGet,
    kAtomic,
  };
  static constexpr WorldRank kEverybody{};
  static constexpr std::uint64_t kNoPlace = ~std::uint64_t{0};

  Ticks begin = 0;  // BEGIN record of a collective; else equal to `end`
  Ticks end = 0;    // of the record
  Ticks enter = 0;  // of the call
  Ticks leave = 0;
  Bytes sent = 0;
  Bytes received = 0;
  std::uint64_t place = kNoPlace;  // of OpenSHMEM: the lock or the value, as all processes number it
  WindowId window{};
  WorldRank target = kEverybody;  // of locks, flushes and accesses
  GroupId group{};                // of kPost ... kComplete
  CallIndex call{};
  WindowRecordIndex index{};  // of this record in LogicalRank::window_records
  PathIndex path = kNoPath;   // of the call
  ThreadIndex thread{};
  Kind kind = Kind::kCreate;
  bool is_exclusive = false;  // of locks
  bool is_passive = false;    // of accesses: under a lock
  bool is_test = false;       // of kWait: MPI_Win_test, which never waits
  bool is_shmem = false;      // of OpenSHMEM

  bool is_access() const { return kind >= Kind::kPut; }
};
static_assert(sizeof(WindowRecord) == 88);

/// When a process was in MPI: visits of all its threads, overlapping ones unified.
struct MpiVisit {
  Ticks enter = 0;
  Ticks leave = 0;
  PathIndex path = kNoPath;  // of the first call
  ThreadIndex thread{};
};

}  // namespace tarry
