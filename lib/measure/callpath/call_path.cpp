// call_path.cpp -- compares the functions on the stack with the frames that are open in the recording.
#include "measure/callpath/call_path.hpp"

#include <algorithm>
#include <atomic>

#include "measure/compiler/function_recorder.hpp"
#include "measure/metrics/counter_set.hpp"
#include "measure/threads/calling_code.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostFrames = std::size_t{1} << 17;  // address space; memory is taken as deep as stacks are
constexpr std::uint64_t kTimedStacks = 32;                 // of so many, one is timed
constexpr Ticks kNever = -1;
constexpr std::size_t kMostEnteredAtOnce = 4000;           // in a sample
constexpr Ticks kLongestLook = 100'000;                    // what takes longer was interrupted

std::atomic<std::uint32_t> g_unloads = 0;

// Without a summary the trace's own time is not older than 0.
Ticks time_of_latest_event(const Thread& thread) { return thread.summarises ? thread.profile.last_time() : 0; }

}  // namespace

CallPath* CallPath::open() {
#if defined(__x86_64__)
  auto* const path = new CallPath;
  if (path->stack_.open(kMostFrames)) return path;
  delete path;
#endif
  return nullptr;
}

// Nothing has been recorded since.
bool CallPath::is_sampled(const Thread& thread) const {
  return sampled_at_ >= thread.profile.last_time() && sampled_at_ >= thread.events.last_time();
}

void CallPath::forget() {
  known_top_ = nullptr;
  stack_.forget();
}

// The frame of a caller begins where that of its callee ends. Of the outermost one only the lower end is known.
std::uintptr_t CallPath::cfa_of(std::size_t frame) const {
  const auto frames = stack_.frames();
  return frame > 0 ? frames[frame - 1].stack : frames[0].stack + 1;
}

std::uint32_t CallPath::region_of(std::uintptr_t function) {
  if (!function) return kFiltered;
  std::uint32_t region = g_regions.find(function);
  if (region != kUnknownRegion) [[likely]] return region;
  const Ticks begin = now();
  region = region_of_unwound(function);
  first_sights_ += now() - begin;
  return region;
}

bool CallPath::update(Thread& thread, const Registers& here, Ticks time, std::uintptr_t outside) {
  if (unloads_ != g_unloads.load(std::memory_order_acquire)) [[unlikely]] note_unloaded(thread, time ? time : now());
  const std::size_t before = stack_.frames().size();
  const std::size_t kept = stack_.update(here);
  if (stack_.is_truncated()) [[unlikely]] ++costs_.truncated;
  if (kept == before && kept == stack_.frames().size() && known_top_ == &thread.frames.top()) {
    sampled_at_ = kNever;
    return true;
  }
  return update_frames(thread, time ? time : now(), outside ? outside : here.stack);
}

bool CallPath::update_frames(Thread& thread, Ticks time, std::uintptr_t outside) {
  const Changes changes = find_changes(thread, outside);
  if (changes.is_base_gone) return false;
  apply(thread, changes, time);
  sampled_at_ = kNever;
  return true;
}

CallPath::Changes CallPath::find_changes(const Thread& thread, std::uintptr_t outside) {
  const auto frames = stack_.frames();
  std::size_t end = frames.size();
  while (end > 0 && frames[end - 1].stack <= outside) --end;
  const Frame* const base = thread.frames.find_base(thread.depth);
  if (thread.frames.is_gone(*base, outside + 1)) return {.is_base_gone = true};
  std::size_t at = end;
  while (at > 0 && thread.frames.may_be_inside(cfa_of(at - 1), *base)) --at;
  const Frame* open = base + 1;
  for (; at < end; ++at) {
    const std::uintptr_t function = frames[at].function;
    if (region_of(function) >= kUnknownRegion) continue;
    if (open > &thread.frames.top() || open->key != function || open->cfa != cfa_of(at)) break;
    ++open;
  }
  return {.leaves = static_cast<std::size_t>(&thread.frames.top() + 1 - open), .begin = at, .end = end};
}

void CallPath::apply(Thread& thread, const Changes& changes, Ticks time) {
  for (std::size_t i = 0; i < changes.leaves; ++i) close_unwound_frame(thread, time);
  enter_frames(thread, changes.begin, changes.end, time);
  known_top_ = &thread.frames.top();
}

// A stack without its outermost functions tells nothing about which of them are open.
bool CallPath::sample(Thread& thread, const Registers& interrupted, Ticks time) {
  if (unloads_ != g_unloads.load(std::memory_order_acquire)) [[unlikely]] note_unloaded(thread, time);
  stack_.update(interrupted);
  if (stack_.is_truncated()) {
    stack_.forget();
    return false;
  }
  const Changes changes = find_changes(thread, interrupted.stack - 1);
  if (changes.is_base_gone || !has_room_for(thread, changes, time)) return false;
  apply(thread, changes, time);
  sampled_at_ = time;
  return true;
}

// Nobody can write blocks out while the thread is in a signal handler.
bool CallPath::has_room_for(Thread& thread, const Changes& changes, Ticks time) const {
  if (!thread.traces) return true;
  const std::size_t open_inside = thread.depth - thread.frames.find_base(thread.depth)->depth;
  const std::size_t entered = std::min(changes.end - changes.begin, kMostEnteredAtOnce);
  const std::size_t counters = thread.counters ? 2 * thread.counters->ids().size() : 0;
  return thread.events.has_room_for(open_inside + entered + counters, time);
}

// What was counted since the latest event belongs to the deepest common function: counters are read before the first
// new one is entered.
void CallPath::enter_frames(Thread& thread, std::size_t begin, std::size_t end, Ticks time) {
  bool is_first = true;
  for (std::size_t at = begin; at < end && thread.frames.has_room(); ++at) {
    const std::uintptr_t function = stack_.frames()[at].function;
    const std::uint32_t region = region_of(function);
    if (region >= kUnknownRegion) continue;
    thread.frames.push({.key = function,
                        .stack = 0,
                        .depth = thread.depth,
                        .is_recorded = true,
                        .is_user = false,
                        .is_unwound = true,
                        .cfa = cfa_of(at)});
    if (is_first)
      enter_counted(thread, region, time);
    else
      enter_guarded(thread, region, time);
    is_first = false;
  }
}

// The same addresses may be other functions now.
void CallPath::note_unloaded(Thread& thread, Ticks time) {
  unloads_ = g_unloads.load(std::memory_order_acquire);
  close_unwound_frames(thread, time);
  forget();
}

[[gnu::noinline]] bool update_call_path(Thread& thread, Ticks time, std::uintptr_t outside) {
  CallPath* const path = thread.call_path;
  if (!path || thread.gate.is_paused()) return true;
  const auto* const frame = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  const Registers caller{
      .return_address = frame[1], .stack = reinterpret_cast<std::uintptr_t>(frame + 2), .base = frame[0]};
  if (path->costs_.stacks++ % kTimedStacks != 0) [[likely]] return path->update(thread, caller, time, outside);
  const Ticks begin = now(), first_sights = path->first_sights_;
  const bool is_done = path->update(thread, caller, time, outside);
  const Ticks spent = now() - begin - (path->first_sights_ - first_sights);
  path->costs_.ticks += static_cast<Ticks>(kTimedStacks) * std::clamp(spent, Ticks{0}, kLongestLook);
  return is_done;
}

void close_unwound_frames(Thread& thread, Ticks time) {
  while (thread.frames.top().is_unwound && thread.frames.top().depth + 1 == thread.depth)
    close_unwound_frame(thread, time);
}

void close_unwound_frame(Thread& thread, Ticks time) {
  const std::uint32_t depth = thread.frames.top().depth;
  thread.frames.pop();
  CallPath* const path = thread.call_path;
  if (path) path->known_top_ = nullptr;
  const bool is_sampled = path && path->is_sampled(thread);
  if (!is_sampled) time = time_of_latest_event(thread);
  while (thread.depth > depth) is_sampled ? leave_counted(thread, time) : leave_guarded(thread, time);
}

void forget_unloaded_code() {
  const bool has_unloaded = forget_unloaded_objects([](std::uintptr_t begin, std::uintptr_t end) {
    g_rules.forget(begin, end);
    forget_regions(begin, end);
  });
  if (has_unloaded) g_unloads.fetch_add(1, std::memory_order_release);
}

}  // namespace tarry::measure
