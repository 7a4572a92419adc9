// function_recorder.cpp -- what is not common about functions and user regions: their first time, and disorder.
#include "measure/compiler/function_recorder.hpp"

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/gone_frames.hpp"
#include "measure/compiler/early_log.hpp"
#include "measure/compiler/throttle.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {

namespace {

EarlyLog g_early;

// Descriptions of the user regions among the early events are found again by their keys.
struct WaitingRegion {
  std::uintptr_t key;
  KeyFacts facts;
};
constexpr std::size_t kMostWaitingRegions = 1024;
WaitingRegion g_waiting_regions[kMostWaitingRegions];
std::size_t g_waiting_region_count = 0;

void remember_facts(std::uintptr_t key, const KeyFacts& facts) {
  for (std::size_t i = 0; i < g_waiting_region_count; ++i)
    if (g_waiting_regions[i].key == key) return;
  if (g_waiting_region_count < kMostWaitingRegions) g_waiting_regions[g_waiting_region_count++] = {key, facts};
}

KeyFacts remembered_facts(std::uintptr_t key) {
  for (std::size_t i = 0; i < g_waiting_region_count; ++i)
    if (g_waiting_regions[i].key == key) return g_waiting_regions[i].facts;
  return {};
}

// Enters a function or user region on the path that is open.
[[gnu::noinline]] void enter_known_path(std::uintptr_t frame, std::uintptr_t stack, bool is_user, RegionId region,
                                        Ticks time) {
  Thread* thread = thread_for_books();
  if (!thread) return note_missed_call(nullptr);
  end_coalesced_visit(*thread);
  std::size_t watched = 0;
  if (const Guard guard(thread->gate, Guard::kEvenPaused); guard)
    while (thread->frames.is_top_gone(stack)) watched += close_gone_frame(*thread, time);
  end_watched_regions(watched);
  const bool is_open = thread->gate.is_open();
  const Guard guard(thread->gate, Guard::kEvenPaused);
  if (!guard) return note_missed_call(thread);
  if (is_open) note_blocked_time(*thread, time);
  const bool is_lasting = is_user && stack == kLasting;
  if (is_user) stack = thread->frames.top().lowest();
  if (!thread->frames.has_room()) return thread->frames.enter_too_deep(stack);
  thread->frames.push({.key = frame,
                       .stack = stack,
                       .depth = thread->depth,
                       .is_recorded = is_open,
                       .is_user = is_user,
                       .is_lasting = is_lasting});
  if (is_open) enter_counted(*thread, region, time);
}

void tell_early_event(Thread& thread, const EarlyEvent& event) {
  switch (event.kind) {
    case EarlyEvent::kEnter: {
      const RegionId region = region_of_key(event.key, remembered_facts(event.key));
      if (is_recorded(region)) enter_known_path(event.frame, event.stack, event.is_user, region, event.time);
      break;
    }
    case EarlyEvent::kLeave: leave_rarely(event.frame, event.stack, event.is_user, event.time); break;
    case EarlyEvent::kPause:
      put(thread, event.time, record::MeasurementOnOff{.is_on = 0});
      pause_recording();
      break;
    case EarlyEvent::kResume:
      resume_recording();
      put(thread, event.time, record::MeasurementOnOff{.is_on = 1});
      break;
  }
}

// Not before the user's adapter has read the selection: the first events may be left out.
void begin_with_early_events(Thread& thread, const ProcessFacts&) {
  if (!g_early.is_mine()) return g_early.drop();
  g_early.take([&thread](const EarlyEvent& event) { tell_early_event(thread, event); });
  if (g_early.lost()) put(thread, now(), record::Lost{.count = g_early.lost()});
}

// The dynamic linker calls functions of the program (ifunc) before any library is initialised. What the recorder calls
// may not work by then, such as what AddressSanitizer has put in front of the C library.
bool g_is_initialised = false;
__attribute__((constructor(101))) void note_initialisation() { g_is_initialised = true; }

// True if the recording is on: else the event waits, or is dropped.
bool comes_in_time(EarlyEvent event, const KeyFacts& facts) {
  if (!g_is_initialised) [[unlikely]]
    return false;
  Phase now_in = phase();
  if (now_in == Phase::kUntouched) now_in = note_first_event();
  if (now_in == Phase::kRecording) return true;
  if (now_in == Phase::kOff) filter_while_off(event.key);
  if (now_in == Phase::kOff || !g_early.is_mine()) return false;
  event.time = now();
  if (!g_first_waiting_event) g_first_waiting_event = event.time;
  if (facts.name) remember_facts(event.key, facts);
  g_early.put(event);
  return false;
}

}  // namespace

constinit const Adapter kCompilerAdapter = {.started = begin_with_early_events};

void enter_unknown(const Entered& entered, const KeyFacts& facts) {
  if (is_outlined_call(entered.key, entered.call_site)) return void(mark_outlined(entered.key));
  if (!comes_in_time({0, entered.frame, entered.key, entered.stack, EarlyEvent::kEnter, entered.is_user}, facts))
    return;
  const RegionId region = region_of_key(entered.key, facts);
  if (is_recorded(region)) record_enter(entered, region);
  else if (is_throttled(region)) count_throttled(region);
  else if (region == kUnknownRegion) note_missed_call(t_thread);
}

void leave_unknown(const Left& left) {
  if (!comes_in_time({0, left.frame, 0, left.stack, EarlyEvent::kLeave, left.is_user}, {})) return;
  const RegionId region = left.is_user ? RegionId(0) : g_regions.find(left.frame);
  if (is_recorded(region)) record_leave(left);
  else if (is_throttled(region)) leave_throttled(left.frame, left.stack);
}

namespace {

// A user region belongs to the function that enters it; that of a hook is inside the path, not part of it.
bool fit_to_stack(Thread& thread, const HookedCall& call, Ticks time) {
  const Guard guard(thread.gate);
  if (!guard || !update_call_path(thread, time, call.stack)) return false;
  if (call.call_site) kCallPath.of(thread)->note_call(thread, call);
  return true;
}

void look_at_stack(Thread& thread, const HookedCall& call, Ticks time) {
  end_coalesced_visit(thread);
  if (fit_to_stack(thread, call, time)) return;
  close_frames_below(call.stack);
  fit_to_stack(thread, call, time);
}

// The caller jumps to this and to what follows: the frame pointer that they save is that of the function.
[[gnu::always_inline]] inline std::uintptr_t base_of_function() {
  return *static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
}

[[gnu::noinline]] void enter_behind_look(std::uintptr_t frame, std::uintptr_t stack, bool is_user, RegionId region,
                                         Ticks time, std::uintptr_t call_site) {
  Thread* thread = thread_for_books();
  const HookedCall call{
      .key = frame & ~kSampledFrame, .call_site = call_site, .stack = is_user ? 0 : stack, .base = base_of_function()};
  if (thread && kCallPath.of(*thread)) look_at_stack(*thread, call, time);
  enter_known_path(frame, stack, is_user, region, time);
}

// Where counters make each enter rare, too, those count down here.
[[gnu::always_inline]] inline bool is_sample_due(Thread& thread) {
  if (thread.gate.is_open_and_plain()) return thread.until_sample == 0;
  return thread.gate.is_open() && --thread.until_sample == 0;
}

// Nothing but the sample makes the enter a rare one.
[[gnu::always_inline]] inline bool is_inside_top(const Thread& thread, std::uintptr_t stack) {
  return thread.gate.is_open_and_plain() && thread.frames.has_room() && thread.frames.top().stack >= stack;
}

// The function that calls may have no hooks, and call often.
[[gnu::always_inline]] inline bool is_call_known(const Thread* thread, const HookedCall& call) {
  const CallPath* const path = thread && call.call_site ? kCallPath.of(*thread) : nullptr;
  return path && thread->gate.is_open() && path->knows_call(*thread, call);
}

}  // namespace

void enter_rarely(std::uintptr_t frame, std::uintptr_t stack, bool is_user, RegionId region, Ticks time,
                  std::uintptr_t call_site) {
  const HookedCall call{.key = frame, .call_site = call_site, .stack = stack, .base = base_of_function()};
  Thread* const thread = t_thread;
  if (!is_user && thread && is_sample_due(*thread)) {
    frame = begin_sample(*thread, frame, stack, time);
    if (is_inside_top(*thread, stack))
      return record_enter_inside(thread, {.frame = frame, .stack = stack}, region, time, stack);
  }
  if (!is_call_known(thread, call)) [[unlikely]]
    return enter_behind_look(frame, stack, is_user, region, time, call_site);
  if (!thread->gate.is_open_and_plain() || !thread->frames.has_room()) [[unlikely]]
    return enter_known_path(frame, stack, is_user, region, time);
  record_enter_inside(thread, {.frame = frame, .stack = stack}, region, time, stack);
}

void leave_rarely(std::uintptr_t frame, std::uintptr_t stack, bool is_user, Ticks time) {
  Thread* thread = t_thread;
  if (!thread) return;
  end_coalesced_visit(*thread);
  if (!is_user) end_sample(*thread, frame, time);
  std::size_t watched = 0;
  if (const Guard guard(thread->gate, Guard::kEvenPaused); guard) {
    if (thread->frames.leave_too_deep(stack)) return;
    std::size_t count = is_user ? thread->frames.count_to_region(reinterpret_cast<const char*>(frame))
                                : thread->frames.count_to(frame, stack);
    for (; count > 1; --count) watched += close_gone_frame(*thread, time);
    if (count > 0) close_frame(*thread, time);  // its end is told
  }
  end_watched_regions(watched);
}

void pause_events() {
  if (!comes_in_time({.kind = EarlyEvent::kPause}, {})) return;
  switch_recording_off();
}

void resume_events() {
  if (!comes_in_time({.kind = EarlyEvent::kResume}, {})) return;
  switch_recording_on();
}

}  // namespace tarry::measure
