// clock.cpp -- which counter is trusted, and its calibration.
#include "measure/core/clock.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/processes/environment_value.hpp"

namespace tarry::measure {

ClockKind g_clock_kind = ClockKind::kMonotonic;

namespace {

std::int64_t realtime_ns() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void choose_clock() {
  if (const char* wanted = environment_value("TARRY_CLOCK"); wanted && !std::strcmp(wanted, "monotonic")) return;
  if (processor::has_steady_counter()) g_clock_kind = ClockKind::kCycleCounter;
}

const char* clock_name() { return g_clock_kind == ClockKind::kMonotonic ? "monotonic" : processor::kCounterName; }

std::string ClockReading::text() const {
  return std::to_string(ticks) + " " + std::to_string(monotonic_ns) + " " + std::to_string(realtime_ns);
}

ClockReading read_clocks() {
  constexpr int kAttempts = 8;
  ClockReading best;
  Ticks best_width = std::numeric_limits<Ticks>::max();
  for (int i = 0; i < kAttempts; ++i) {
    const Ticks before = now();
    const std::int64_t monotonic = measure::monotonic_ns();
    const Ticks after = now();
    const std::int64_t realtime = measure::realtime_ns();
    if (after - before >= best_width) continue;
    best_width = after - before;
    best = {before + (after - before) / 2, monotonic, realtime};
  }
  return best;
}

double ticks_per_second(const ClockReading& first, const ClockReading& last) {
  if (g_clock_kind == ClockKind::kMonotonic || last.monotonic_ns <= first.monotonic_ns || last.ticks <= first.ticks)
    return 1e9;
  return 1e9 * static_cast<double>(last.ticks - first.ticks) /
         static_cast<double>(last.monotonic_ns - first.monotonic_ns);
}

ClockReading read_clocks_at_end(const ClockReading& first) {
  constexpr std::int64_t kShortestSpanNs = 5'000'000;
  ClockReading last = read_clocks();
  while (last.monotonic_ns - first.monotonic_ns < kShortestSpanNs) last = read_clocks();
  return last;
}

}  // namespace tarry::measure
