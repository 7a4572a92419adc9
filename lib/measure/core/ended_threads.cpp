// ended_threads.cpp -- takes threads that have ended apart.
#include "measure/core/ended_threads.hpp"

#include <memory>
#include <utility>

#include "measure/core/adapter.hpp"
#include "measure/core/runtime_state.hpp"

namespace tarry::measure {
namespace {

// A thread that ends takes along some that had to wait, so that they do not become more and more.
constexpr int kMostAtOnce = 4;

bool is_of_use_to_adapters(Thread& thread) {
  for (const Adapter* adapter : adapters())
    if (adapter->needs_ended && adapter->needs_ended(thread)) return true;
  return false;
}

void leave_list(RuntimeState& state, Thread& thread) {
  (thread.before ? thread.before->next : state.threads) = thread.next;
  if (thread.next) thread.next->before = thread.before;
}

}  // namespace

void ThreadSums::add(const Thread& thread) {
  lost_events += thread.events.lost();
  calls_too_deep += thread.frames.too_deep_calls();
  missed_calls += thread.missed_calls;
}

void join_list(RuntimeState& state, Thread& thread) {
  thread.before = nullptr;
  thread.next = state.threads;
  if (thread.next) thread.next->before = &thread;
  state.threads = &thread;
}

ChunkHeader profile_header(const RuntimeState& state, const Thread& thread, std::uint32_t version) {
  ChunkHeader header;
  header.kind = ChunkKind::kProfile;
  header.process = state.rank.value;
  header.thread = thread.number;
  header.sequence = version;
  header.flags = kLastChunk;
  return header;
}

void EndedThreads::put_last(Thread& thread) {
  thread.next_ended = nullptr;
  (last_waiting_ ? last_waiting_->next_ended : first_waiting_) = &thread;
  last_waiting_ = &thread;
}

Thread* EndedThreads::take_first() {
  Thread* const first = first_waiting_;
  if (!first) return nullptr;
  first_waiting_ = first->next_ended;
  if (!first_waiting_) last_waiting_ = nullptr;
  return first;
}

void EndedThreads::add(RuntimeState& state, Thread& thread) {
  put_last(thread);
  for (int i = 0; i < kMostAtOnce; ++i) {
    Thread* const first = take_first();
    if (!first) return;
    if (is_of_use_to_adapters(*first)) put_last(*first);
    else leave(state, *first);
  }
}

void EndedThreads::leave(RuntimeState& state, Thread& thread) {
  sums_.add(thread);
  if (thread.summarises) {
    ByteWriter bytes;
    thread.profile.encode(bytes);
    const ChunkHeader header = profile_header(state, thread, kFinalProfile);
    has_profiles_ = state.pool.append_of_ended(header, bytes.bytes()) && has_profiles_;
    thread.profile.release();
  }
  tell_adapters(&Adapter::thread_leaves, thread);
  leave_list(state, thread);
  thread.next_ended = std::exchange(idle_, &thread);
}

Thread* EndedThreads::reuse() {
  Thread* const thread = idle_;
  if (!thread) return nullptr;
  idle_ = thread->next_ended;
  const FrameStack frames = thread->frames;
  std::destroy_at(thread);
  std::construct_at(thread);
  thread->frames = frames;
  return thread;
}

}  // namespace tarry::measure
