// team_scan.cpp -- records of threads: forks and teams of OpenMP, creation, and locks.
#include "replay/scan/thread_scan.hpp"

#include <algorithm>

namespace tarry {
namespace {

void add(std::vector<Ticks>& times, PathIndex path, Ticks time) {
  if (path >= times.size()) times.resize(path + 1, 0);
  times[path] += time;
}

}  // namespace

// Time before the fork stays with the serial part.
void ThreadScan::fork(Ticks time) {
  forget_polls();
  credit(time);
  fork_position_ = thread_.log.mark();
  is_forking_ = has_to_begin_own_team_ = true;
  open_forks_.push_back(rank_.forks.next_id());
  rank_.forks.push_back(
      {.fork_time = time, .join_time = time, .path = stack_.empty() ? kNoPath : stack_.back().path, .thread = number_});
}

// The time from the end of the parallel region to the join belongs to the region's call path.
void ThreadScan::join(Ticks time) {
  forget_polls();
  if (open_forks_.empty()) return;
  Fork& fork = rank_.forks[open_forks_.back()];
  fork.join_time = time;
  if (last_parallel_fork_ == open_forks_.back()) charge_join(time);
  fork.join_position = thread_.log.mark();
  fork.is_joined = true;
  is_forking_ = has_to_begin_own_team_ = false;
  open_forks_.pop_back();
}

void ThreadScan::charge_join(Ticks join_time) {
  const Ticks join = std::max<Ticks>(0, join_time - last_parallel_leave_);
  const Ticks counted_join = thread_.counted(last_parallel_leave_, last_parallel_leave_ + join);
  add(thread_.management_time, last_parallel_path_, counted_join);
  make_room(last_parallel_path_);
  if (is_own(last_parallel_fork_)) {
    // The clock runs on at the thread that has forked, where this time would go to the surrounding region.
    credit(join_time);
    if (!stack_.empty()) move_time(stack_.back().path, last_parallel_path_, join, counted_join);
  } else {
    move_time(kNoPath, last_parallel_path_, join, counted_join);
  }
  last_parallel_fork_ = {};
}

// A member of a team that another thread forks needs to know when and where, and later when it is joined.
bool ThreadScan::has_to_wait(const Event& event) const {
  if (event.kind != EventKind::kThreadTeamBegin && event.kind != EventKind::kThreadTeamEnd) [[likely]]
    return false;
  if (!waits_) return false;
  if (event.kind == EventKind::kThreadTeamBegin)
    return !has_to_begin_own_team_ && !process_.team_forks.find(record_of<record::ThreadTeamBegin>(event).team.value);
  const ForkIndex fork = teams_.empty() ? ForkIndex() : teams_.back();
  return fork.is_valid() && !is_own(fork) && rank_.forks[fork].thread != kMaster && !rank_.forks[fork].is_joined;
}

// The number is known from now on.
void ThreadScan::begin_own_team(TeamId team) {
  const ForkIndex fork = open_forks_.empty() ? ForkIndex() : open_forks_.back();
  has_to_begin_own_team_ = false;
  TeamFork& known = process_.team_forks.insert(team.value, {});
  if (known.fork.is_valid()) known.is_repeated = true;
  rank_.repeats_teams |= known.is_repeated;
  known.fork = fork;
  teams_.push_back(fork);
}

// By its number, or, where that tells nothing, the latest fork of the master before it.
ForkIndex ThreadScan::fork_of(TeamId team, Ticks begin_time) const {
  const TeamFork* known = process_.team_forks.find(team.value);
  if (known && !known->is_repeated && known->fork.is_valid()) return known->fork;
  const auto later = [](Ticks time, const Fork& fork) { return time < fork.fork_time; };
  const auto begin = rank_.forks.begin();
  const auto after =
      std::upper_bound(begin, begin + static_cast<std::ptrdiff_t>(process_.master_forks), begin_time, later);
  return after == begin ? ForkIndex() : ForkIndex(static_cast<std::size_t>(after - begin - 1));
}

void ThreadScan::team_begin(Ticks time, const record::ThreadTeamBegin& begin) {
  team_numbers_.push_back(begin.team.value);
  if (is_master() || has_to_begin_own_team_) begin_own_team(begin.team);
  else teams_.push_back(fork_of(begin.team, time));
}

void ThreadScan::team_end() {
  if (teams_.empty()) return;
  if (last_parallel_fork_.is_valid() && !is_own(last_parallel_fork_))
    charge_join(rank_.forks[last_parallel_fork_].join_time);
  teams_.pop_back();
  team_numbers_.pop_back();
}

void ThreadScan::enter_construct(Frame& frame, ThreadClass construct) {
  forget_polls();
  const ForkIndex fork = teams_.empty() ? ForkIndex() : teams_.back();
  if (construct == ThreadClass::kParallel && fork.is_valid()) charge_fork(frame, fork);
  if (construct == ThreadClass::kExplicitBarrier || construct == ThreadClass::kImplicitBarrier) {
    frame.barrier = thread_.barriers.next_id();
    thread_.barriers.push_back({.enter = frame.enter,
                                .leave = frame.enter,
                                .ready = frame.enter,
                                .path = frame.path,
                                .calls_before = static_cast<std::uint32_t>(rank_.calls.size()),
                                .fork = fork,
                                .team = team_numbers_.empty() ? 0 : team_numbers_.back(),
                                .is_explicit = construct == ThreadClass::kExplicitBarrier});
  }
}

// The time from the fork to the start of the parallel region belongs to the region's call path. At the thread that
// has forked it has been credited to the surrounding region.
void ThreadScan::charge_fork(const Frame& frame, ForkIndex fork) {
  const Ticks time = std::max<Ticks>(0, frame.enter - rank_.forks[fork].fork_time);
  const Ticks counted_time = thread_.counted(frame.enter - time, frame.enter);
  add(thread_.fork_time, frame.path, counted_time);
  add(thread_.management_time, frame.path, counted_time);
  move_time(is_own(fork) ? rank_.tree[frame.path].parent : kNoPath, frame.path, time, counted_time);
  is_forking_ = false;
  if (process_.keeps.barrier_seconds) begin_seconds(frame, rank_.forks[fork].fork_time);
  thread_.parallels.push_back({.enter = frame.enter,
                               .leave = frame.enter,
                               .path = frame.path,
                               .fork = fork,
                               .position = is_own(fork) ? fork_position_ : frame.position,
                               .calls_before = static_cast<std::uint32_t>(rank_.calls.size()),
                               .event = ordinal()});
}

void ThreadScan::begin_seconds(const Frame& frame, Ticks fork_time) {
  std::unique_ptr<BarrierSeconds>& seconds = thread_.barrier_seconds;
  if (!seconds)
    seconds = std::make_unique<BarrierSeconds>(process_.source.definitions().clock, thread_.barriers.budget());
  seconds->begin_region(frame.path, fork_time, frame.enter);
}

// Time of `from` (kNoPath: of no call path) belongs to `to` after all.
void ThreadScan::move_time(PathIndex from, PathIndex to, Ticks time, Ticks counted_time) {
  thread_.time[to] += counted_time;
  thread_.log.add(to, time);
  if (from == kNoPath) return;
  thread_.time[from] -= counted_time;
  thread_.log.take_back(from, time);
}

void ThreadScan::leave_parallel(const Frame& frame, Ticks time) {
  if (thread_.barrier_seconds) thread_.barrier_seconds->end_region();
  if (teams_.empty()) return;
  last_parallel_fork_ = teams_.back();
  last_parallel_leave_ = time;
  last_parallel_path_ = frame.path;
  if (!last_parallel_fork_.is_valid()) return;
  for (std::size_t i = thread_.parallels.size(); i-- > 0;)
    if (thread_.parallels[i].fork == last_parallel_fork_) {
      thread_.parallels[i].leave = time;
      return;
    }
}

void ThreadScan::acquire(Ticks time, const record::ThreadAcquireLock& acquired) {
  forget_polls();
  if (stack_.empty()) return;
  // Without order: an attempt that failed, or one of many readers.
  const bool is_shared = acquired.order == 0;
  const RegionId region = stack_.back().region;
  const bool may_share = process_.regions[region].signal != SignalClass::kNone ||
                         process_.regions.name(region).starts_with("pthread_rwlock_");
  if (is_shared && !may_share) return;
  const Frame& frame = stack_.back();
  const LockAcquisition lock{.lock = acquired.lock,
                             .order = acquired.order,
                             .enter = frame.enter,
                             .acquire = time,
                             .release = time,
                             .path = frame.path,
                             .is_shared = is_shared};
  const ThreadMoment enter = moment(frame.enter, place_of_enter());
  held_locks_.insert(lock.lock) = locks_.add(lock, {.enter = enter, .release = enter});
}

// The region that acquires has got no time yet: this is where it was entered.
LogPosition ThreadScan::place_of_enter() {
  if (!process_.keeps.lock_places) return 0;
  return is_moving_time() ? thread_.log.pin() : thread_.log.mark();
}

void ThreadScan::release(Ticks time, const record::ThreadReleaseLock& released) {
  forget_polls();
  const LockIndex* const held = held_locks_.find(released.lock);
  if (!held) return;
  locks_.release(*held, time, moment_of_release(time));
  if (released.order != 0 && is_in_timed_wait()) locks_.mark_unsuccessful(*held);
}

// Whether the innermost function waits for a signal or a post. With an order, its release tells that its time was up.
bool ThreadScan::is_in_timed_wait() const {
  if (stack_.empty()) return false;
  const SignalClass signal = process_.regions[stack_.back().region].signal;
  return signal == SignalClass::kCondition || signal == SignalClass::kSemaphore;
}

// What follows belongs to later intervals. A wait for a condition differs: its region releases the lock where it is
// entered, and acquires it again before it is left. Whoever comes to a barrier ends waits there when it enters.
std::optional<ThreadMoment> ThreadScan::moment_of_release(Ticks time) {
  if (!process_.keeps.lock_places || stack_.empty() || is_moving_time()) return std::nullopt;
  const bool is_wait = process_.regions[stack_.back().region].signal == SignalClass::kBarrier ||
                       process_.regions.name(stack_.back().region).starts_with("pthread_cond_");
  if (!is_wait) credit(time);
  return moment(is_wait ? stack_.back().enter : time, thread_.log.mark());
}

// pthread_create, or the begin of what it created.
template <class Start>
void ThreadScan::start_thread(Ticks time, const Start& start) {
  forget_polls();
  if (!process_.keeps.lock_places || is_moving_time()) return;
  credit(time);
  thread_.starts.push_back({.contingent = start.contingent.value,
                            .sequence = start.sequence,
                            .is_begin = Start::kKind == EventKind::kThreadBegin,
                            .moment = moment(time, thread_.log.mark())});
}
template void ThreadScan::start_thread(Ticks time, const record::ThreadCreate& start);
template void ThreadScan::start_thread(Ticks time, const record::ThreadBegin& start);

ThreadEnds& ThreadScan::ends_of_thread() {
  if (!thread_.ends) thread_.ends = std::make_unique<ThreadEnds>(thread_.starts.budget());
  return *thread_.ends;
}

void ThreadScan::end_thread(Ticks time, const record::ThreadEnd& end) {
  if (!process_.keeps.lock_places || is_moving_time()) return;
  credit(time);
  pass_end_of_thread(time, end, time, false);
  if (!process_.keeps.thread_ends) return;
  ends_of_thread().ends.push_back({.contingent = end.contingent.value,
                                   .sequence = end.sequence,
                                   .moment = moment(time, thread_.log.mark()),
                                   .time = time});
}

// The thread that ends, at that time, or one that has entered a call to join it then.
template <class Record>
void ThreadScan::pass_end_of_thread(Ticks time, const Record& record, Ticks enter, bool is_shared) {
  if (stack_.empty()) return;
  const ThreadMoment there = moment(enter, place_of_enter());
  locks_.add({.lock = end_of_thread(record.contingent.value, record.sequence),
              .order = is_shared ? 0u : 1u,
              .enter = enter,
              .acquire = time,
              .release = time,
              .path = there.path,
              .is_shared = is_shared},
             {.enter = there, .release = there});
}

// The record comes when the other thread has ended, in the region that waits.
void ThreadScan::join_thread(Ticks time, const record::ThreadWait& join) {
  if (!process_.keeps.lock_places || is_moving_time() || stack_.empty()) return;
  pass_end_of_thread(time, join, stack_.back().enter, true);
  if (!process_.keeps.thread_ends) return;
  ends_of_thread().ends.push_back({.contingent = join.contingent.value,
                                   .sequence = join.sequence,
                                   .is_join = true,
                                   .moment = moment(stack_.back().enter, thread_.log.mark()),
                                   .time = time});
}

// Its region has been entered and has got no time yet.
void ThreadScan::signal_condition() {
  if (!process_.keeps.thread_ends || is_moving_time()) return;
  ends_of_thread().signals.push_back(moment(stack_.back().enter, thread_.log.mark()));
}

ThreadMoment ThreadScan::moment(Ticks time, LogPosition position) const {
  return {.time = time,
          .path = stack_.empty() ? kNoPath : stack_.back().path,
          .position = position,
          .calls_before = static_cast<std::uint32_t>(rank_.calls.size()),
          .event = ordinal()};
}

}  // namespace tarry
