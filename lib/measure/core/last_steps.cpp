// last_steps.cpp -- waits until no thread is in a step.
#include "measure/core/last_steps.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "measure/core/clock.hpp"
#include "measure/core/processor_clock.hpp"
#include "measure/core/recorder.hpp"

namespace tarry::measure {
namespace {

// Nanoseconds in which no thread has ended its step. They may have to wait for one another: for memory, or a disk.
constexpr std::int64_t kMostWait = 2'000'000'000;
// Between a look at the gate and the step that follows no thread takes so long.
constexpr std::int64_t kLongestLook = 100'000;
constexpr useconds_t kShortestPause = 10, kLongestPause = 2000;  // microseconds

struct LateThread {
  Thread* thread;
  std::int64_t used;        // of processors when its gate was closed; -1: unknown
  bool has_looked = false;  // at its gate, since
};

bool has_looked(const LateThread& late) {
  const pid_t thread = late.thread->delay.thread;
  return processor_time_of(thread) - late.used >= kLongestLook || !wants_processor(thread);
}

bool is_settled(LateThread& late) {
  late.has_looked = late.has_looked || has_looked(late);
  return late.has_looked && !late.thread->gate.is_busy();
}

}  // namespace

std::size_t let_steps_end(Thread* threads) {
  std::vector<LateThread> late;
  for (Thread* thread = threads; thread; thread = thread->next)
    if (thread != t_thread) late.push_back({thread, processor_time_of(thread->delay.thread)});
  std::int64_t end = monotonic_ns() + kMostWait;
  for (useconds_t pause = kShortestPause;; pause = std::min(2 * pause, kLongestPause)) {
    const bool has_progress = std::erase_if(late, is_settled) > 0;
    if (late.empty()) return 0;
    const std::int64_t time = monotonic_ns();
    if (has_progress) end = time + kMostWait;
    if (time >= end) break;
    ::usleep(pause);
  }
  for (const LateThread& each : late) each.thread->is_in_endless_step = true;
  return late.size();
}

}  // namespace tarry::measure
