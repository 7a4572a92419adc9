// sync_points.hpp -- where a process synchronised with others: the skeleton that root-cause and critical-path analysis
// walk along (docs/METRICS.md, "Synchronisation points"; Boehme, section 4.2.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/waits/found_waits.hpp"
#include "analysis/compatibility.hpp"
#include "replay/trace.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {

/// What made a sync point: a wait of some kind, or what connects threads without a wait that costs anything.
enum class SyncKind : std::uint8_t {
#define COST(id, ...) k##id,
#include "report/metrics/wait_kinds.def"
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

constexpr bool is_of_lock(SyncKind kind) { return kind == SyncKind::kThreadLock || kind == SyncKind::kThreadSignal; }
constexpr bool is_of_device(SyncKind kind) { return kind == SyncKind::kLateKernel || kind == SyncKind::kLateLaunch; }

/// Whether one gave something to another in the same process: a lock or a signal, work to a queue, or its result.
constexpr bool is_hand_over(SyncKind kind) { return is_of_lock(kind) || is_of_device(kind); }

/// As it is named in files.
const char* name_of(SyncKind kind);

/// Index of a sync point within its thread.
using SyncIndex = StrongId<struct SyncIndexTag>;
/// Number of a list of processes in SyncPoints::lists.
using SyncListIndex = StrongId<struct SyncListTag>;

/// The partners with which a sync point connects its thread. Each kind has a value of its own type; the accessor of
/// another kind returns none.
class Counterpart {
 public:
  enum class Kind : std::uint8_t {
    kNone,
    kProcess,
    kEverybody,     // all processes
    kCommunicator,  // its members
    kList,          // of processes
    kJoin,          // of a fork, at the thread that forks: position of the join in the time log
    kThread,        // a thread of the process that was created
    kStarted,       // of MPI_Comm_spawn: the inter-communicator to the new processes
    kHeldLock,      // of a wait for a lock: the holder's acquisition
  };

  Counterpart() = default;
  static Counterpart process(RankIndex rank) { return {Kind::kProcess, rank.value}; }
  static Counterpart everybody() { return {Kind::kEverybody, 0}; }
  static Counterpart communicator(CommId comm) { return {Kind::kCommunicator, comm.value}; }
  static Counterpart list(SyncListIndex list) { return {Kind::kList, list.value}; }
  static Counterpart join(LogPosition position) { return {Kind::kJoin, position}; }
  static Counterpart thread(ThreadIndex thread) { return {Kind::kThread, thread.value}; }
  static Counterpart started(CommId comm) { return {Kind::kStarted, comm.value}; }
  static Counterpart held_lock(LockIndex held) { return {Kind::kHeldLock, held.value}; }

  Kind kind() const { return kind_; }
  /// Whether processes are meant.
  bool are_processes() const { return kind_ > Kind::kNone && kind_ <= Kind::kList; }

  RankIndex process() const { return as<RankIndex>(Kind::kProcess); }
  CommId communicator() const { return as<CommId>(Kind::kCommunicator); }
  SyncListIndex list() const { return as<SyncListIndex>(Kind::kList); }
  ThreadIndex thread() const { return as<ThreadIndex>(Kind::kThread); }
  CommId started() const { return as<CommId>(Kind::kStarted); }
  LockIndex held_lock() const { return as<LockIndex>(Kind::kHeldLock); }
  /// Only of kind kJoin.
  LogPosition join() const { return value_; }

 private:
  Counterpart(Kind kind, std::uint32_t value) : value_(value), kind_(kind) {}

  template <class Id>
  Id as(Kind kind) const {
    return kind_ == kind ? Id(value_) : Id();
  }

  std::uint32_t value_ = 0;
  Kind kind_ = Kind::kNone;
};

/// The record that made a sync point. SyncPoint::kind tells its type, and SyncPoint has an accessor for each.
class SyncRecord {
 public:
  SyncRecord() = default;
  template <class Tag>
  SyncRecord(StrongId<Tag> index) : index_(index.value) {}

  template <class Id>
  Id as() const {
    return Id(index_);
  }

 private:
  std::uint32_t index_ = CollectiveIndex::kNone;
};

/// A sync point of the whole trace.
struct SyncRef {
  RankIndex rank{};
  ThreadIndex thread{};
  SyncIndex point{};

  bool operator==(const SyncRef&) const = default;
  std::uint64_t hash() const {
    return mix_bits((std::uint64_t{rank.value} << 32 | point.value) ^ mix_bits(thread.value));
  }
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
  RankIndex cause_rank{};      // if wait > 0, or a thread begins: the process that was waited for,
  SyncIndex cause_point{};     // and its sync point of the same instance; none: not known,
  ThreadIndex cause_thread{};  // in this thread
  SyncKind kind = SyncKind::kInit;
  bool is_spawn_root : 1 = false;  // of a spawn: this process starts the new ones
  bool is_polled : 1 = false;      // it waited in polls
  SyncRecord record;               // none for spawns, most messages and causes of one-sided waits

  SyncRef cause() const { return {cause_rank, cause_thread, cause_point}; }
  void set_cause(const SyncRef& cause) {
    cause_rank = cause.rank;
    cause_thread = cause.thread;
    cause_point = cause.point;
  }

  // The record, if it is of that type; else none.
  ForkIndex fork() const { return record_of<ForkIndex>(SyncKind::kFork); }
  BarrierIndex barrier() const { return record_of<BarrierIndex>(SyncKind::kThreadBarrier); }
  LockIndex acquisition() const { return is_of_lock(kind) && wait == 0 ? record.as<LockIndex>() : LockIndex(); }
  LockWaitIndex lock_wait() const {
    return is_of_lock(kind) && wait > 0 ? record.as<LockWaitIndex>() : LockWaitIndex();
  }
  DeviceWaitIndex device_wait() const { return is_of_device(kind) ? record.as<DeviceWaitIndex>() : DeviceWaitIndex(); }
  ThreadStartIndex start() const { return record_of<ThreadStartIndex>(SyncKind::kThreadStart); }
  PolledWaitIndex polled_wait() const { return is_polled ? record.as<PolledWaitIndex>() : PolledWaitIndex(); }
  WindowWaitIndex window_wait() const { return record_of<WindowWaitIndex>(SyncKind::kOneSided); }
  CollectiveIndex collective() const {
    return is_collective() && !is_polled ? record.as<CollectiveIndex>() : CollectiveIndex();
  }

 private:
  bool is_collective() const;

  template <class Id>
  Id record_of(SyncKind of_kind) const {
    return kind == of_kind ? record.as<Id>() : Id();
  }
};
static_assert(sizeof(SyncPoint) == 64);

/// All sync points of one thread, in order. MPI's belong to the thread that made the call.
struct SyncPoints {
  Indexed<SyncIndex, Rows<SyncPoint>> points;
  Indexed<SyncListIndex, std::vector<std::vector<RankIndex>>> lists;  // each sorted
  Ticks first_time = 0;                                               // of the thread's events
  Ticks last_time = 0;
  LogPosition log_end = 0;  // of its time log
  SyncIndex init{};
  SyncIndex finalize{};
  SyncRef spawn;           // where the process was started, if by MPI_Comm_spawn
  bool has_locks = false;  // some are hand-overs

  bool has_events() const { return log_end > 0 || last_time != 0; }
};

/// Those of the threads of a process.
using ThreadSyncPoints = Indexed<ThreadIndex, std::vector<SyncPoints>>;

/// Those of the whole trace.
using AllSyncPoints = Indexed<RankIndex, ParallelArray<ThreadSyncPoints>>;

inline const SyncPoint& point_at(const AllSyncPoints& all, const SyncRef& ref) {
  return all[ref.rank][ref.thread].points[ref.point];
}

/// Whether a thread of a process waited for a lock of another.
bool have_locks(const ThreadSyncPoints& threads);

/// Whether the partner set of `point` contains a process.
bool has_partner(const Trace& trace, const SyncPoints& all, const SyncPoint& point, RankIndex rank);

/// Builds the sync points of all hosted processes from the waits that were found, and links waits with their causes.
/// Every analysis process gets the sync points of all. Collective over the analysis processes.
AllSyncPoints build_sync_points(const Trace& trace, const FoundWaits& waits, LockLogs locks,
                                const Compatibility& compatibility);

}  // namespace tarry
