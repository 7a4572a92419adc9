// blocked_time.cpp -- asks the kernel how a thread has spent its time.
#include "measure/core/blocked_time.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "measure/core/clock.hpp"
#include "measure/core/processor_clock.hpp"
#include "measure/core/recorder.hpp"

namespace tarry::measure {
namespace {

// What is shorter may be the kernel's own work, and is left to the function.
constexpr std::int64_t kLeastBlocked = 100'000;

// Nanoseconds. A thread that wakes up on a busy machine waits for a processor, and the kernel counts no preemption.
// Only where a thread was away for this long, its file is read to find out.
constexpr std::int64_t kLongWait = 2'000'000;

// Without a wait it was preempted all the time, and without a preemption it waited, if not for long. Only where there
// was both, the kernel's file has to be read. Nobody else can ask how often a thread waited.
std::int64_t preempted_time(const Thread& thread, BlockedWatch& seen, std::int64_t away) {
  if (&thread == t_thread) {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    const bool has_waited = usage.ru_nvcsw != seen.waits, is_preempted = usage.ru_nivcsw != seen.preemptions;
    seen.waits = usage.ru_nvcsw;
    seen.preemptions = usage.ru_nivcsw;
    if (!has_waited && seen.preempted >= 0) seen.preempted += away;
    if (!has_waited) return away;
    if (!is_preempted && away < kLongWait) return 0;
  }
  const std::int64_t before = seen.preempted;
  seen.preempted = delay_of(thread.delay.thread);
  return before < 0 || seen.preempted < 0 ? 0 : std::clamp(seen.preempted - before, std::int64_t{0}, away);
}

}  // namespace

void begin_blocked_watch(Thread& thread) {
  thread.blocked = {.looked_at = now(),
                    .wall = monotonic_ns(),
                    .used = processor_time_of(thread.delay.thread),
                    .preempted = thread.delay.nanoseconds};
}

Ticks look_for_blocked_time(Thread& thread, Ticks time, bool is_in_code) {
  BlockedWatch& seen = thread.blocked;
  const BlockedWatch before = seen;
  const int error = errno;
  seen.used = processor_time_of(thread.delay.thread);
  seen.wall = monotonic_ns();
  seen.looked_at = now();
  const std::int64_t wall = seen.wall - before.wall, used = seen.used - before.used;
  const bool is_known = before.used >= 0 && seen.used >= 0 && wall - used >= kLeastBlocked;
  const std::int64_t preempted = is_known ? preempted_time(thread, seen, wall - used) : 0;
  errno = error;
  if (!is_known || !is_in_code) return 0;
  const Ticks quiet = time - std::max(latest_event_of(thread), before.looked_at);
  const double ticks_of_nanosecond = static_cast<double>(seen.looked_at - before.looked_at) / static_cast<double>(wall);
  const auto busy = static_cast<Ticks>(static_cast<double>(used + preempted) * ticks_of_nanosecond);
  const auto least = static_cast<Ticks>(static_cast<double>(kLeastBlocked) * ticks_of_nanosecond);
  return quiet - busy >= least ? quiet - busy : 0;
}

void record_blocked_time(Thread& thread, Ticks time, Ticks blocked) {
  const auto ticks = static_cast<std::uint64_t>(blocked);
  if (thread.traces) thread.events.put(time, record::Attribute{.attribute = kBlockedAttribute, .value = ticks});
  if (thread.summarises) thread.profile.count_blocked(time, blocked);
}

}  // namespace tarry::measure
