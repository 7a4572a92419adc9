// runtime_state.hpp -- everything the recording of a process consists of; shared by runtime.cpp and shutdown.cpp.
//
// Calls: may block.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "measure/core/block_pool.hpp"
#include "measure/core/ended_threads.hpp"
#include "measure/core/local_definitions.hpp"
#include "measure/core/processor_watch.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/recording_lock.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {

struct RuntimeState {
  Settings settings;
  WorldRank rank{0};
  std::uint32_t processes = 1;
  ClockReading clock_start;
  RecordingLock recording;
  BlockPool pool;
  LocalDefinitions definitions;
  ProcessorWatch processors;
  RegionId root_region = {};
  bool is_complete = false;  // MPI was finalised
  bool is_alone = false;     // no MPI
  bool is_paused = false;
  std::atomic<const char*> ended_early = nullptr;  // why

  RecorderLock threads_lock;
  Thread* threads = nullptr;  // those that have not ended
  EndedThreads ended;
  std::uint32_t thread_count = 0;    // with queues
  std::uint64_t lost_by_queues = 0;  // events
  pthread_key_t thread_end = 0;
};

/// Closes a thread's recording: leaves its regions, hands its last block over.
void finish_thread(Thread& thread, Ticks time);

/// Makes sure that what is recorded now makes a complete recording, even if the process is killed.
void secure(RuntimeState& state);

/// Ends all recordings of the process and writes the archive's files.
/// Calls: at end only.
void finish(RuntimeState& state);

}  // namespace tarry::measure
