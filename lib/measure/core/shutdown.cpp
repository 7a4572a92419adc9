// shutdown.cpp -- the end of a recording: from blocks in memory to chunks in the container.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "defs/early_ends.hpp"
#include "defs/unify.hpp"
#include "measure/core/adapter.hpp"
#include "measure/core/disk_space.hpp"
#include "measure/core/ended_threads.hpp"
#include "measure/core/host.hpp"
#include "measure/core/last_steps.hpp"
#include "measure/core/runtime_state.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {
namespace {

constexpr char kStepIsEndless[] = "a thread was still being recorded when the program ended";

// The time in which other threads end their steps is not the program's. Nor is what this thread waits meanwhile.
void close_threads(RuntimeState& state) {
  const Locked lock(state.threads_lock);
  const Ticks end = now();
  for (Thread* thread = state.threads; thread; thread = thread->next) thread->gate.close();
  for (Thread* thread = state.threads; thread; thread = thread->next) state.processors.end_thread(thread->delay);
  if (let_steps_end(state.threads) > 0) state.ended_early = kStepIsEndless;
  for (Thread* thread = state.threads; thread; thread = thread->next) {
    if (thread->is_in_endless_step) continue;
    finish_thread(*thread, std::max(end, latest_event_of(*thread)));
  }
}

ThreadSums sum_threads(const RuntimeState& state) {
  ThreadSums sums = state.ended.sums();
  sums.lost_events += state.lost_by_queues;
  for (const Thread* thread = state.threads; thread; thread = thread->next) sums.add(*thread);
  return sums;
}

bool write_profile(RuntimeState& state, const Thread& thread, std::uint32_t version, const ByteWriter& bytes) {
  return state.pool.append(profile_header(state, thread, version), bytes.bytes());
}

bool write_profiles(RuntimeState& state) {
  bool is_written = state.ended.has_profiles();
  for (Thread* thread = state.threads; thread && state.settings.summarises; thread = thread->next) {
    if (thread->is_in_endless_step) {
      is_written = false;
      continue;
    }
    ByteWriter bytes;
    thread->profile.encode(bytes);
    is_written = write_profile(state, *thread, kFinalProfile, bytes) && is_written;
  }
  return is_written;
}

// Threads that keep changing their profiles have none so far. What those have left that have ended may be in memory.
bool write_profiles_so_far(RuntimeState& state) {
  constexpr int kAttempts = 3;
  const Locked lock(state.threads_lock);
  if (state.settings.summarises && (!state.ended.has_profiles() || !state.pool.flush_ended())) return false;
  for (Thread* thread = state.threads; thread && state.settings.summarises; thread = thread->next) {
    ByteWriter bytes;
    bool is_whole = false;
    for (int i = 0; i < kAttempts && !is_whole; ++i) {
      bytes = ByteWriter();
      is_whole = thread->profile.encode_so_far(now(), bytes) && (thread == t_thread || !thread->gate.is_busy());
    }
    if (!is_whole || !write_profile(state, *thread, kProfileSoFar, bytes)) return false;
  }
  return true;
}

// From two readings of the clocks that are as far apart as can be.
double calibrate_clock(RuntimeState& state) {
  const ClockReading clock_end = read_clocks_at_end(state.clock_start);
  Clock clock;
  clock.ticks_per_second = ticks_per_second(state.clock_start, clock_end);
  clock.origin = state.clock_start.ticks;
  clock.epoch_ns = static_cast<std::uint64_t>(state.clock_start.realtime_ns);
  state.definitions.set_clock(clock);
  state.definitions.add_property(kClockEndKey, clock_end.text());
  return clock.ticks_per_second;
}

// Why the recording ends before the program, if it does and that is known.
std::string why_it_ends(RuntimeState& state, std::uint64_t missing) {
  if (const char* const why = state.ended_early) return why;
  return missing ? state.pool.failure() : "";
}

// `missing`: events at the end, of those that are lost.
bool write_definitions(RuntimeState& state, const ThreadSums& sums, std::uint64_t lost, std::uint64_t missing,
                       bool is_complete) {
  tell_adapters(&Adapter::describe_costs, calibrate_clock(state));
  state.definitions.add_property(std::string(kProcessorUseKey) + std::to_string(state.rank.value),
                                 processor_use_text(state.processors.use()));
  if (lost) {
    state.definitions.add_property(kLostKey, std::to_string(lost));
    if (const std::string why = state.pool.failure(); !why.empty()) state.definitions.add_property(kLostReasonKey, why);
  }
  if (const std::string why = why_it_ends(state, missing); !why.empty())
    state.definitions.add_property(std::string(kRecordingEndKey) + std::to_string(state.rank.value), why);
  if (sums.calls_too_deep) state.definitions.add_property(kCallsTooDeepKey, std::to_string(sums.calls_too_deep));
  if (sums.missed_calls) state.definitions.add_property(kCallsMissedKey, std::to_string(sums.missed_calls));
  if (const std::uint64_t calls = count_calls_behind_end())
    state.definitions.add_property(kCallsBehindEndKey, std::to_string(calls));
  ChunkHeader header;
  header.kind = ChunkKind::kDefinitions;
  header.process = state.rank.value;
  header.flags = kLastChunk;
  return state.pool.append(header, state.definitions.finish(is_complete));
}

// Before anything is written: what will probably not fit. Process 0 speaks for all.
void forecast_end(RuntimeState& state) {
  if (state.rank != WorldRank(0)) return;
  const Bytes wanted = state.pool.count_bytes_to_write() * state.processes;
  const Bytes free = free_disk_space(state.settings.archive);
  if (free < wanted) warn_of_disk(state.settings.archive, free, wanted, "the events in memory");
}

}  // namespace

void finish_thread(Thread& thread, Ticks time) {
  thread.gate.close();
  if (thread.is_finished) return;
  thread.is_finished = true;
  for (const Adapter* adapter : adapters())
    if (adapter->thread_ends) time = adapter->thread_ends(thread, time);
  const bool has_own_counters = thread.counters && &thread == t_thread;  // no other thread can read them
  while (has_own_counters && thread.depth > 0) leave_counted(thread, time);
  if (has_own_counters) delete std::exchange(thread.counters, nullptr);
  if (thread.traces) thread.events.close(time);
  if (thread.summarises) thread.profile.close(time);
}

void secure(RuntimeState& state) {
  const std::uint64_t lost = sum_threads(state).lost_events + state.pool.count_dropped_events();
  if (lost || !write_profiles_so_far(state)) return;
  calibrate_clock(state);
  state.definitions.mark_complete();
}

// The definitions go last: a container that has them has everything of the process.
void finish(RuntimeState& state) {
  close_threads(state);
  tell_adapters(&Adapter::threads_have_ended);
  forecast_end(state);
  const bool has_events = state.pool.flush_at_end();
  const bool has_profiles = write_profiles(state);
  tell_adapters(&Adapter::ending);
  const ThreadSums sums = sum_threads(state);
  const std::uint64_t missing = sums.lost_events + state.pool.count_stranded_events();
  const std::uint64_t lost = missing + state.pool.count_dropped_events();  // what gave way to later events ends nothing
  const bool is_complete = state.is_complete && has_events && has_profiles && missing == 0 && !state.ended_early;
  const bool has_definitions = write_definitions(state, sums, lost, missing, is_complete);
  if (has_events && has_profiles && has_definitions) state.pool.remove_spool();
  state.recording.release();
  if (const char* const why = state.ended_early) say(std::string("the recording ends early: ") + why);
  if (lost)
    say("process " + std::to_string(state.rank.value) + ": " + std::to_string(lost) + " events could not be recorded");
}

}  // namespace tarry::measure
