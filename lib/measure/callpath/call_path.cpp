// call_path.cpp -- compares the functions on the stack with the frames that are open in the recording.
#include "measure/callpath/call_path.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <atomic>

#include "measure/compiler/function_recorder.hpp"
#include "measure/threads/calling_code.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostFrames = std::size_t{1} << 17;  // address space; memory is taken as deep as stacks are
constexpr std::uint32_t kMostAlike = 64;                   // of deeper recursion the rest is left out
constexpr std::uint64_t kTimedStacks = 32;                 // of so many, one is timed
constexpr std::uintptr_t kMostStartBytes = 64;               // of the code in front of main()
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

void CallPath::forget() {
  known_top_ = nullptr;
  stack_.forget();
}

// The frame of a caller begins where that of its callee ends. Of the outermost one only the lower end is known.
std::uintptr_t CallPath::cfa_of(std::size_t frame) const {
  const auto frames = stack_.frames();
  return frame > 0 ? frames[frame - 1].stack : frames[0].stack + 1;
}

std::uint32_t CallPath::region_of(std::size_t frame) {
  const StackFrame& there = stack_.frames()[frame];
  const std::uintptr_t function = there.function;
  if (!function || there.alike > kMostAlike) return kFiltered;
  const std::uint32_t region = g_regions.find(function);
  return region != kUnknownRegion ? region : define(frame);
}

[[gnu::noinline]] std::uint32_t CallPath::define(std::size_t frame) {
  const Ticks begin = now();
  const std::uint32_t region = region_of_unwound(stack_.frames()[frame].function, is_main(frame));
  first_sights_ += now() - begin;
  return region;
}

// The outermost function of the program, in the thread that begins where the program does.
bool CallPath::is_main(std::size_t frame) {
  const auto frames = stack_.frames();
  if (frame == 0 || frames[0].function || frames[0].return_address - ::getauxval(AT_ENTRY) > kMostStartBytes)
    return false;
  for (std::size_t outer = 1; outer < frame; ++outer)
    if (region_of(outer) != kFiltered) return false;
  return true;
}

bool CallPath::update(Thread& thread, const Registers& here, Ticks& time, std::uintptr_t outside) {
  if (unloads_ != g_unloads.load(std::memory_order_acquire)) [[unlikely]] note_unloaded(thread);
  const std::size_t before = stack_.frames().size();
  const std::size_t kept = stack_.update(here);
  if (stack_.is_truncated()) [[unlikely]] ++costs_.truncated;
  if (kept == before && kept == stack_.frames().size() && is_as_left(thread)) return true;
  return update_frames(thread, kept, time, outside);
}

// Whether the open frames are those of the latest look.
bool CallPath::is_as_left(const Thread& thread) const {
  return known_top_ == &thread.frames.top() && depth_ == thread.depth;
}

// How far the stack and the open frames agree.
struct CallPath::Matched {
  std::size_t next;   // on the stack: the outermost frame that is not known to be open
  const Frame* open;  // behind the innermost open frame that is known to be on the stack
};

bool CallPath::update_frames(Thread& thread, std::size_t kept, Ticks& time, std::uintptr_t outside) {
  const auto frames = stack_.frames();
  std::size_t end = frames.size();
  while (end > 0 && frames[end - 1].stack <= outside) --end;
  kept = std::min({kept, end, end_});
  const bool is_known = is_as_left(thread) && first_ < kept;
  if (!is_known) base_ = thread.frames.find_base(thread.depth);
  if (thread.frames.is_gone(*base_, outside + 1)) return false;
  Matched matched = is_known ? match_known(kept) : match_from_base(thread, end);
  match_further(thread, matched, is_known ? std::min(end, kept + 1) : end);
  while (&thread.frames.top() >= matched.open) close_unwound_frame(thread);
  enter_frames(thread, matched.next, end, time);
  known_top_ = &thread.frames.top();
  depth_ = thread.depth;
  end_ = end;
  return true;
}

CallPath::Matched CallPath::match_known(std::size_t kept) const {
  return {.next = kept, .open = base_ + 1 + stack_.frames()[kept - 1].opened};
}

CallPath::Matched CallPath::match_from_base(const Thread& thread, std::size_t end) {
  first_ = end;
  while (first_ > 0 && thread.frames.may_be_inside(cfa_of(first_ - 1), *base_)) --first_;
  return {.next = first_, .open = base_ + 1};
}

// The first frame that is not as it was may be the same function, further on. It has called anew those inside it.
void CallPath::match_further(const Thread& thread, Matched& matched, std::size_t end) {
  for (; matched.next < end; ++matched.next) {
    const std::uintptr_t function = stack_.frames()[matched.next].function;
    if (region_of(matched.next) != kFiltered) {
      const bool is_open = matched.open <= &thread.frames.top() && matched.open->key == function &&
                           matched.open->cfa == cfa_of(matched.next);
      if (!is_open) return;
      ++matched.open;
    }
    stack_.note_opened(matched.next, static_cast<std::uint32_t>(matched.open - base_ - 1));
  }
}

// What was counted since the latest event belongs to the deepest common function: counters are read before the first
// new one is entered.
void CallPath::enter_frames(Thread& thread, std::size_t begin, std::size_t end, Ticks& time) {
  bool is_first = true;
  for (std::size_t at = begin; at < end; ++at) {
    const std::uintptr_t function = stack_.frames()[at].function;
    const std::uint32_t region = region_of(at);
    stack_.note_opened(at, static_cast<std::uint32_t>(&thread.frames.top() - base_));
    if (region >= kUnknownRegion || !thread.frames.has_room()) continue;
    if (!time) time = now();
    stack_.note_opened(at, static_cast<std::uint32_t>(&thread.frames.top() - base_) + 1);
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
void CallPath::note_unloaded(Thread& thread) {
  unloads_ = g_unloads.load(std::memory_order_acquire);
  close_unwound_frames(thread);
  forget();
}

// The caller's own frame is not looked at.
[[gnu::noinline]] bool update_call_path(Thread& thread, Ticks time, std::uintptr_t outside) {
  const auto* const frame = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  const Registers caller{
      .return_address = frame[1], .stack = reinterpret_cast<std::uintptr_t>(frame + 2), .base = frame[0]};
  return update_call_path_of(thread, caller, time, outside ? outside : caller.stack);
}

bool update_call_path_of(Thread& thread, const Registers& caller, Ticks& time, std::uintptr_t outside) {
  CallPath* const path = thread.call_path;
  if (!path || thread.gate.is_paused()) return true;
  if (!outside) outside = caller.stack - 1;
  if (path->costs_.stacks++ % kTimedStacks != 0) [[likely]] return path->update(thread, caller, time, outside);
  const Ticks begin = now(), first_sights = path->first_sights_;
  const bool is_done = path->update(thread, caller, time, outside);
  const Ticks spent = now() - begin - (path->first_sights_ - first_sights);
  path->costs_.ticks += static_cast<Ticks>(kTimedStacks) * std::clamp(spent, Ticks{0}, kLongestLook);
  return is_done;
}

void close_unwound_frames(Thread& thread) {
  while (thread.frames.top().is_unwound && thread.frames.top().depth + 1 == thread.depth) close_unwound_frame(thread);
}

void close_unwound_frame(Thread& thread) {
  const std::uint32_t depth = thread.frames.top().depth;
  thread.frames.pop();
  if (thread.call_path) thread.call_path->known_top_ = nullptr;
  const Ticks time = time_of_latest_event(thread);
  while (thread.depth > depth) leave_guarded(thread, time);
}

void forget_unloaded_code() {
  const bool has_unloaded = forget_unloaded_objects([](std::uintptr_t begin, std::uintptr_t end) {
    g_rules.forget(begin, end);
    forget_regions(begin, end);
  });
  if (has_unloaded) g_unloads.fetch_add(1, std::memory_order_release);
}

}  // namespace tarry::measure
