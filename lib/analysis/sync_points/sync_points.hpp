// sync_points.hpp -- where a process synchronised with others: the skeleton that root-cause and critical-path analysis
// walk along (docs/METRICS.md, "Synchronisation points"; Boehme, section 4.2.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/waits/found_waits.hpp"
#include "analysis/compatibility.hpp"
#include "replay/trace.hpp"
#include "report/wait_kinds.hpp"

namespace tarry {

/// What made a sync point: a wait of some kind, or what connects threads without a wait that costs anything.
enum class SyncKind : std::uint8_t {
#define COST(id, ...) k##id,
#include "report/wait_kinds.def"
  kInit,
  kFork,
  kThreadStart,
  kSpawn,
};

/// The kind of the wait; WaitKind::kNone where there is none.
constexpr WaitKind wait_kind(SyncKind kind) {
  return static_cast<std::size_t>(kind) < kWaitKinds ? static_cast<WaitKind>(kind) : WaitKind::kNone;
}
constexpr SyncKind sync_kind(WaitKind kind) { return static_cast<SyncKind>(kind); }

/// As it is named in files.
const char* name_of(SyncKind kind);

/// Index of a sync point within its thread.
using SyncIndex = std::uint32_t;

/// The partners with which a sync point connects its thread. The kind tells what the value is.
class Counterpart {
 public:
  enum class Kind : std::uint8_t {
    kNone,
    kProcess,       // its rank index
    kEverybody,     // all processes
    kCommunicator,  // its members; the id
    kList,          // of processes: index into SyncPoints::lists
    kJoin,          // of a fork, at the master: position of the join in the time log
    kThread,        // a thread of the process that was created: its number
    kStarted,       // of MPI_Comm_spawn: the inter-communicator to the new processes
  };

  Counterpart() = default;
  Counterpart(Kind kind, std::uint32_t value) : value_(value), kind_(kind) {}
  static Counterpart process(std::uint32_t rank_index) { return {Kind::kProcess, rank_index}; }
  static Counterpart everybody() { return {Kind::kEverybody, 0}; }

  Kind kind() const { return kind_; }
  bool is(Kind kind, std::uint32_t value) const { return kind_ == kind && value_ == value; }
  /// Whether processes are meant.
  bool are_processes() const { return kind_ > Kind::kNone && kind_ <= Kind::kList; }
  /// The value, if it is of that kind; else kNone32.
  std::uint32_t as(Kind kind) const { return kind_ == kind ? value_ : kNone32; }

 private:
  std::uint32_t value_ = 0;
  Kind kind_ = Kind::kNone;
};

/// One synchronisation of one thread with one or more others.
struct SyncPoint {
  Ticks enter = 0;       // of the operation
  Ticks wait = 0;        // waiting time here; 0 at the side that made others wait
  Ticks total = 0;       // whole time of the operation
  Ticks completion = 0;  // time of the operation that is neither waiting nor before the partner came
  PathIndex path = kNoPath;
  LogPosition position = 0;  // in the thread's time log; time from here on belongs to later intervals
  Counterpart with;
  std::uint32_t cause_rank = kNone32;  // if wait > 0, or a thread begins: rank index of who was waited for,
  SyncIndex cause_point = kNone32;     // and its sync point of the same instance,
  std::uint16_t cause_thread = 0;      // in this thread
  SyncKind kind = SyncKind::kInit;
  bool is_spawn_root = false;      // of a spawn: this process starts the new ones
  std::uint32_t record = kNone32;  // index of the collective, window wait, fork, thread barrier, acquisition of a
                                   // lock or thread start that made it
};
static_assert(sizeof(SyncPoint) == 64);

/// A sync point of the whole trace.
struct SyncRef {
  std::uint32_t rank = kNone32;
  std::uint16_t thread = 0;
  SyncIndex point = kNone32;

  bool operator==(const SyncRef&) const = default;
  std::uint64_t hash() const { return mix_bits((std::uint64_t{rank} << 32 | point) ^ mix_bits(thread)); }
};

/// All sync points of one thread, in order. MPI's belong to the thread that made the call.
struct SyncPoints {
  Rows<SyncPoint> points;
  std::vector<std::vector<std::uint32_t>> lists;  // rank indices, sorted
  Ticks first_time = 0;                           // of the thread's events
  Ticks last_time = 0;
  LogPosition log_end = 0;  // of its time log
  SyncIndex init = kNone32;
  SyncIndex finalize = kNone32;
  SyncRef spawn;           // where the process was started, if by MPI_Comm_spawn
  bool has_locks = false;  // some are of kind kThreadLock

  bool has_events() const { return log_end > 0 || last_time != 0; }
};

/// Those of the whole trace: [rank index][thread].
using AllSyncPoints = Indexed<RankIndex, ParallelArray<std::vector<SyncPoints>>>;

/// Whether a thread of a process waited for a lock of another.
bool have_locks(const std::vector<SyncPoints>& threads);

/// Whether the partner set of `point` contains the process at `rank_index`.
bool has_partner(const Trace& trace, const SyncPoints& all, const SyncPoint& point, std::uint32_t rank_index);

/// Builds the sync points of all hosted processes from the waits that were found, and links waits with their causes.
/// Every analysis process gets the sync points of all. Collective over the analysis processes.
AllSyncPoints build_sync_points(const Trace& trace, const FoundWaits& waits, LockLogs locks,
                                const Compatibility& compatibility);

}  // namespace tarry
