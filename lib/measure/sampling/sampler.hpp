// sampler.hpp -- what a thread does between recorded calls: its stack, at times that a timer chooses.
//
// A signal interrupts the thread. The handler unwinds the stack and records what has changed, as a recorded call does
// (callpath/call_path.hpp). What it finds lasts until the next record. It never waits: a step that needs a lock in use
// is left undone and counted. It runs on a stack of its own, since that of the thread may be small. No handler of the
// program runs meanwhile.
//
// Calls: may block.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "defs/lost_samples.hpp"
#include "measure/core/adapter.hpp"
#include "measure/core/recorder.hpp"
#include "measure/sampling/sample_timer.hpp"

namespace tarry::measure {

struct Settings;

/// Samples of a thread, or of all.
struct SampleCounts {
  std::uint64_t taken = 0;
  std::uint64_t inside_calls = 0;  // of recorded functions: left out
  std::array<std::uint64_t, kLostSampleReasons> lost{};
  Ticks ticks = 0;  // time spent in the handler

  void add(const SampleCounts& other) {
    taken += other.taken;
    inside_calls += other.inside_calls;
    for (std::size_t why = 0; why < lost.size(); ++why) lost[why] += other.lost[why];
    ticks += other.ticks;
  }
  void lose(LostSample why, std::uint64_t count = 1) { lost[static_cast<std::size_t>(why)] += count; }
};

extern const Adapter kSampleAdapter;

/// The samples of one thread.
class ThreadSampler {
 public:
  /// For the calling thread; nullptr if it cannot be sampled. The caller holds the list of threads, also for stop().
  static ThreadSampler* start(const Settings& settings);

  /// Ends the samples. If the thread itself asks, another thread may use its stack for samples.
  void stop(bool is_of_caller);

  /// This is a child process, which is not sampled.
  /// Calls: handler-safe.
  void forget();

  /// A signal has come. False if it is none of ours.
  /// Calls: handler-safe.
  bool take_signal(Thread& thread, const siginfo_t& info, void* context);

  const SampleCounts& counts() const { return counts_; }
  SampleTimer& timer() { return timer_; }

 private:
  struct Visit;

  static void take_on_own_stack(void* visit);
  bool is_wanted(SampleTimer::Source source, const void* context) const;
  void take(Thread& thread, const siginfo_t& info, const void* context);
  std::optional<LostSample> record(Thread& thread, const void* context, Ticks time);

  SampleTimer timer_;
  SampleCounts counts_;
  void* stack_top_ = nullptr;
  bool keeps_inside_ = false;
};

/// nullptr: no samples are taken.
inline constexpr ThreadSlot<ThreadSampler*, 16> kSampler;

/// Handles the signal of samples. Before the first thread is sampled. False if the kernel or the memory do not allow
/// it.
bool prepare_sampling();

/// Whether that has been done.
/// Calls: handler-safe.
bool is_sampling();

/// The C library has started a thread: with the first one it takes its signal back.
void keep_sample_signal();

}  // namespace tarry::measure
