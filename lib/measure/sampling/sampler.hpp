// sampler.hpp -- what a thread does between recorded calls: its stack, at times that a timer chooses.
//
// A signal interrupts the thread. The handler unwinds the stack and records what has changed, as a recorded call does
// (callpath/call_path.hpp). What it finds lasts until the next record. It never waits: a step that needs a lock in use
// is left undone and counted.
#pragma once

#include <cstdint>

#include "measure/core/adapter.hpp"
#include "measure/core/recorder.hpp"
#include "measure/sampling/sample_timer.hpp"

namespace tarry::measure {

struct Settings;

/// Samples of a thread, or of all.
struct SampleCounts {
  std::uint64_t taken = 0;
  std::uint64_t inside_calls = 0;  // of recorded functions: left out
  std::uint64_t lost = 0;          // see the reasons in sampler.cpp
  Ticks ticks = 0;                 // time spent in the handler

  void add(const SampleCounts& other) {
    taken += other.taken;
    inside_calls += other.inside_calls;
    lost += other.lost;
    ticks += other.ticks;
  }
};

extern const Adapter kSampleAdapter;

/// The samples of one thread.
class ThreadSampler {
 public:
  /// For the calling thread; nullptr if it cannot be sampled.
  static ThreadSampler* start(const Settings& settings);

  /// A signal has come.
  void take(Thread& thread, const siginfo_t& info, const void* context);

  const SampleCounts& counts() const { return counts_; }
  SampleTimer& timer() { return timer_; }

 private:
  bool is_wanted(SampleTimer::Source source, const void* context) const;
  bool record(Thread& thread, const void* context, Ticks time);

  SampleTimer timer_;
  SampleCounts counts_;
  bool keeps_inside_ = false;
};

/// nullptr: no samples are taken.
inline constexpr ThreadSlot<ThreadSampler*, 16> kSampler;

/// Chooses a signal that the program does not use, and handles it. Before the first thread is sampled. False if there
/// is none.
bool prepare_sampling();

/// The signal of our timers; 0: none.
int sample_signal();

/// The program handles that signal itself from here on: ours is another one.
void leave_signal_to_program(int signal);

/// Whether the program has blocked that signal in the calling thread. It is not blocked in truth.
extern __thread bool t_blocks_sample_signal __attribute__((tls_model("initial-exec")));

}  // namespace tarry::measure
