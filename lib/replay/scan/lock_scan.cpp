// lock_scan.cpp -- records of locks, and of the ends of threads, which count as locks.
#include "replay/scan/lock_scan.hpp"

namespace tarry {

// Whether an acquisition without order may be one of many: else it is an attempt that failed.
bool LockScan::may_share(RegionId region) const {
  return thread_.process.regions[region].signal != SignalClass::kNone ||
         thread_.process.regions.name(region).starts_with("pthread_rwlock_");
}

void LockScan::acquire(Ticks time, const record::ThreadAcquireLock& acquired) {
  if (thread_.open.is_empty()) return;
  const OpenVisit& visit = thread_.open.innermost();
  const bool is_shared = acquired.order == 0;
  if (is_shared && !may_share(visit.region)) return;
  const LockAcquisition lock{.lock = acquired.lock,
                             .order = acquired.order,
                             .enter = visit.enter,
                             .acquire = time,
                             .release = time,
                             .path = visit.path,
                             .is_shared = is_shared};
  const ThreadMoment enter = thread_.moment(visit.enter, place_of_enter());
  held_.insert(lock.lock) = log_.add(lock, {.enter = enter, .release = enter});
}

// The region that acquires has got no time yet: this is where it was entered.
LogPosition LockScan::place_of_enter() {
  if (!thread_.process.keeps.lock_places) return 0;
  return thread_.times.is_moving() ? thread_.logical.log.pin() : thread_.logical.log.mark();
}

void LockScan::release(Ticks time, const record::ThreadReleaseLock& released) {
  const LockIndex* const held = held_.find(released.lock);
  if (!held) return;
  log_.release(*held, time, moment_of_release(time));
  if (released.order != 0 && is_in_timed_wait()) log_.mark_unsuccessful(*held);
}

// Whether the innermost function waits for a signal or a post. With an order, its release tells that its time was up.
bool LockScan::is_in_timed_wait() const {
  if (thread_.open.is_empty()) return false;
  const SignalClass signal = thread_.facts().signal;
  return signal == SignalClass::kCondition || signal == SignalClass::kSemaphore;
}

// What follows belongs to later intervals. A wait for a condition differs: its region releases the lock where it is
// entered, and acquires it again before it is left. Whoever comes to a barrier ends waits there when it enters.
std::optional<ThreadMoment> LockScan::moment_of_release(Ticks time) {
  if (!thread_.process.keeps.lock_places || thread_.open.is_empty() || thread_.times.is_moving()) return std::nullopt;
  const OpenVisit& visit = thread_.open.innermost();
  const bool is_wait = thread_.facts().signal == SignalClass::kBarrier ||
                       thread_.process.regions.name(visit.region).starts_with("pthread_cond_");
  if (!is_wait) thread_.credit(time);
  return thread_.moment(is_wait ? visit.enter : time, thread_.logical.log.mark());
}

void LockScan::end_thread(Ticks time, const record::ThreadEnd& end) {
  if (!thread_.keeps_moments()) return;
  thread_.credit(time);
  add_end_of_thread({.lock = end_of_thread(end.contingent.value, end.sequence),
                     .order = 1,
                     .enter = time,
                     .acquire = time,
                     .release = time});
}

void LockScan::join_thread(Ticks time, const record::ThreadWait& join) {
  if (!thread_.keeps_moments() || thread_.open.is_empty()) return;
  add_end_of_thread({.lock = end_of_thread(join.contingent.value, join.sequence),
                     .enter = thread_.open.innermost().enter,
                     .acquire = time,
                     .release = time,
                     .is_shared = true});
}

// The thread that ends, at that time, or one that has entered a call to join it then.
void LockScan::add_end_of_thread(LockAcquisition lock) {
  if (thread_.open.is_empty()) return;
  const ThreadMoment there = thread_.moment(lock.enter, place_of_enter());
  lock.path = there.path;
  log_.add(lock, {.enter = there, .release = there});
}

}  // namespace tarry
