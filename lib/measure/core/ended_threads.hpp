// ended_threads.hpp -- threads that have ended: what they leave for the archive, and their memory for those that begin.
//
// A program may start hundreds of thousands of threads, one after the other. What is kept of each is what the archive
// holds of it. A thread that begins gets the memory of one that has ended: no mapping, no page is new.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "measure/core/recorder.hpp"

namespace tarry::measure {

struct RuntimeState;

/// What is counted in each thread, and told of all together.
struct ThreadSums {
  std::uint64_t lost_events = 0, calls_too_deep = 0, missed_calls = 0;

  void add(const Thread& thread);
};

/// For callers that hold the lock of the threads.
class EndedThreads {
 public:
  /// A thread has ended and its recording is closed. Its profile goes to the pool, and it leaves the list of threads.
  /// That happens at once, or when the adapters have no use for it any more.
  void add(RuntimeState& state, Thread& thread);

  /// One for a thread that begins, as `new` makes it. But its frames have memory, for open_again(). nullptr if there is
  /// none.
  Thread* reuse();

  /// Of those that have left the list.
  const ThreadSums& sums() const { return sums_; }

  /// Whether their profiles are with the pool.
  bool has_profiles() const { return has_profiles_; }

 private:
  void put_last(Thread& thread);
  Thread* take_first();
  void leave(RuntimeState& state, Thread& thread);

  ThreadSums sums_;
  bool has_profiles_ = true;
  Thread* first_waiting_ = nullptr;  // for adapters
  Thread* last_waiting_ = nullptr;
  Thread* idle_ = nullptr;
};

/// Puts a thread into the list of all.
void join_list(RuntimeState& state, Thread& thread);

/// Of the chunk that holds a thread's profile.
ChunkHeader profile_header(const RuntimeState& state, const Thread& thread, std::uint32_t version);

}  // namespace tarry::measure
