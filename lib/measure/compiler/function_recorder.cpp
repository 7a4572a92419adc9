// function_recorder.cpp -- what is not common about functions and user regions: their first time, and disorder.
#include "measure/compiler/function_recorder.hpp"

#include <mutex>
#include <string>
#include <utility>

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/python_path.hpp"
#include "measure/compiler/early_log.hpp"
#include "measure/compiler/function_names.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"
#include "measure/threads/calling_code.hpp"
#include "measure/user/record_selection.hpp"

namespace tarry::measure {

constinit RegionMap g_regions;

namespace {

EarlyLog g_early;
std::mutex g_regions_mutex;

// Never destroyed: instrumented destructors run while the process ends.
FunctionNames& function_names() {
  static auto* const names = new FunctionNames;
  return *names;
}

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

std::string full_name(const KeyFacts& facts) {
  std::string name = facts.name;
  if (facts.has_number) name += facts.number == KeyFacts::kFurtherNumbers ? "=..." : "=" + std::to_string(facts.number);
  if (facts.text) name.append("=").append(facts.text);
  return name;
}

std::uint32_t define(std::uintptr_t key, const KeyFacts& facts) {
  FunctionNames& names = function_names();
  if (facts.is_interpreted) return names.define_interpreted(facts.name, facts.file, facts.line);
  if (facts.name) {
    if (!names.filter().includes(facts.name, "", facts.file)) return kFiltered;
    return definitions().add_region(full_name(facts), facts.file, facts.line, Paradigm::kUser, facts.role);
  }
  return names.define(key, facts.is_main);
}

// Functions beyond what the map holds share one region.
std::uint32_t overflow_region() {
  static const std::uint32_t region = [] {
    say("more than " + std::to_string(RegionMap::kEntries / 2) + " functions: some are recorded as one");
    return definitions().add_region("(more functions)", "", 0, Paradigm::kCompiler, RegionRole::kFunction);
  }();
  return region;
}

std::uint32_t add_key(std::uintptr_t key, const KeyFacts& facts) {
  const SignalBlock no_signals;
  const HandlerLock lock(g_regions_mutex);
  if (!lock) return kUnknownRegion;
  if (const std::uint32_t there = g_regions.find(key); there != kUnknownRegion) return there;
  const std::uint32_t region = define(key, facts);
  if (region == kUnknownRegion || g_regions.add(key, region)) return region;
  return is_in_handler() ? kFiltered : overflow_region();
}

Thread* thread_for_books() {
  Thread* thread = t_thread;
  return thread ? thread : adopt_thread();
}

// Pops one frame; with it goes whatever is still open inside it.
void close_frame(Thread& thread, Ticks time) {
  const Frame frame = thread.frames.top();
  if (frame.is_unwound) return close_unwound_frame(thread, time);
  thread.frames.pop();
  while (frame.is_recorded && thread.depth > frame.depth) leave_counted(thread, time);
}

// True if the recording is on for the sake of the region in the top frame.
bool is_top_chosen(const Thread& thread) {
  if (!g_has_selection || !thread.frames.top().is_user) return false;
  const char* const chosen = selection().open_name();
  return chosen && !std::strcmp(reinterpret_cast<const char*>(thread.frames.top().key), chosen);
}

// Pops frames without an end, and counts those of them that the selection has to be told of: not within a step.
std::size_t close_gone_frame(Thread& thread, Ticks time) {
  const bool is_chosen = is_top_chosen(thread);
  close_frame(thread, time);
  return is_chosen;
}

void end_chosen(std::size_t count) {
  for (; count > 0; --count)
    if (const char* const name = selection().open_name()) selection().end(name);
}

// Enters a function or user region on the path that is open.
void enter_known_path(std::uintptr_t frame, std::uintptr_t stack, bool is_user, std::uint32_t region, Ticks time) {
  Thread* thread = thread_for_books();
  if (!thread) return;
  end_coalesced_visit(*thread);
  std::size_t chosen = 0;
  if (const Guard guard(thread->gate, Guard::kEvenPaused); guard)
    while (thread->frames.is_top_gone(stack)) chosen += close_gone_frame(*thread, time);
  end_chosen(chosen);
  const bool is_open = thread->gate.is_open();
  const Guard guard(thread->gate, Guard::kEvenPaused);
  if (!guard) return;
  if (!stack) stack = thread->frames.top().lowest();
  if (!thread->frames.has_room()) return thread->frames.enter_too_deep(stack);
  thread->frames.push(
      {.key = frame, .stack = stack, .depth = thread->depth, .is_recorded = is_open, .is_user = is_user});
  if (is_open) enter_counted(*thread, region, time);
}

void tell_early_event(Thread& thread, const EarlyEvent& event) {
  switch (event.kind) {
    case EarlyEvent::kEnter: {
      const std::uint32_t region = region_of_key(event.key, remembered_facts(event.key));
      if (region < kUnknownRegion) enter_known_path(event.frame, event.stack, event.is_user, region, event.time);
      break;
    }
    case EarlyEvent::kLeave: leave_rarely(event.frame, event.stack, event.is_user, event.time); break;
    case EarlyEvent::kPause:
      put(thread, EventKind::kMeasurementOnOff, event.time, 0);
      pause_recording();
      break;
    case EarlyEvent::kResume:
      resume_recording();
      put(thread, EventKind::kMeasurementOnOff, event.time, 1);
      break;
  }
}

void begin_with_early_events(Thread& thread, Ticks time) {
  if (!selection().parse(settings().select))
    say("TARRY_SELECT: '" + std::string(settings().select) +
        "' is no selection like \"solve step:0-9,100\" or \"step:last10\"; everything is recorded");
  g_has_selection = selection().is_active();
  if (selection().keeps_latest()) keep_latest_events();
  if (g_has_selection) {
    put(thread, EventKind::kMeasurementOnOff, time, 0);
    pause_recording();
  }
  if (!g_early.is_mine()) return g_early.drop();
  g_early.take([&thread](const EarlyEvent& event) { tell_early_event(thread, event); });
  if (g_early.lost()) put(thread, EventKind::kLost, now(), g_early.lost());
}

// Behind the end the hooks do nothing, not even read the clock: a sandbox may forbid it.
void name_functions_at_end() {
  function_names().describe_all();
  selection().describe_latest();
  g_regions.filter_all();
}

// The next calls of the function cost as much as those of a filtered one. Takes no system call: who comes while another
// thread is at it does so later.
void filter_while_off(std::uintptr_t key) {
  const std::unique_lock lock(g_regions_mutex, std::try_to_lock);
  if (lock && key && g_regions.find(key) == kUnknownRegion) g_regions.add(key, kFiltered);
}

Adapter g_adapter = {begin_with_early_events, name_functions_at_end, nullptr};

// An instrumented library may be initialised before this one.
__attribute__((constructor)) void register_functions() {
  static bool is_registered = false;
  if (!std::exchange(is_registered, true)) register_adapter(g_adapter);
}

// True if the recording is on: else the event waits, or is dropped.
bool comes_in_time(EarlyEvent event, const KeyFacts& facts) {
  Phase now_in = phase();
  if (now_in == Phase::kUntouched) {
    register_functions();
    now_in = note_first_event();
  }
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

std::uint32_t region_of_key(std::uintptr_t key, const KeyFacts& facts) {
  const std::uint32_t region = g_regions.find(key);
  if (region != kUnknownRegion) return region;
  Thread* thread = thread_for_books();
  if (!thread) return kUnknownRegion;
  const Guard guard(thread->gate, Guard::kEvenPaused);
  return guard ? add_key(key, facts) : kUnknownRegion;
}

std::uint32_t region_of_unwound(std::uintptr_t function, bool is_main) {
  const CallingCode code = calling_code_on_stack(reinterpret_cast<const void*>(function));
  const PythonRole role = code == CallingCode::kPython ? python_role_of(function) : PythonRole::kFollowed;
  if (role == PythonRole::kUncertain) return kUnknownRegion;
  const bool is_program = code == CallingCode::kProgram || role == PythonRole::kUnknownInterpreter;
  if (is_program || settings().keeps_system_frames) return add_key(function, {.is_main = is_main});
  return filter_key(function);
}

std::uint32_t define_at_site(std::uint32_t region, std::uintptr_t return_address) {
  const HandlerLock lock(g_regions_mutex);
  return lock ? function_names().define_at_site(region, return_address) : kUnknownRegion;
}

std::uint32_t define_at_line(std::uint32_t region, const std::string& file, std::uint32_t line) {
  const HandlerLock lock(g_regions_mutex);
  return lock ? function_names().define_at_line(region, file, line) : kUnknownRegion;
}

std::uint32_t filter_key(std::uintptr_t key) {
  const SignalBlock no_signals;
  const HandlerLock lock(g_regions_mutex);
  if (lock) g_regions.add(key, kFiltered);
  return kFiltered;
}

std::uint32_t region_of_interpreted(std::uintptr_t key, const KeyFacts& facts) { return add_key(key, facts); }

void prepare_for_handlers() {
  find_python();
  const std::lock_guard lock(g_regions_mutex);
  function_names();
}

void forget_regions(std::uintptr_t begin, std::uintptr_t end) {
  const SignalBlock no_signals;
  const std::lock_guard lock(g_regions_mutex);
  g_regions.forget(begin, end);
}

void enter_unknown(const Entered& entered, const KeyFacts& facts) {
  if (!comes_in_time({0, entered.frame, entered.key, entered.stack, EarlyEvent::kEnter, entered.is_user}, facts))
    return;
  const std::uint32_t region = region_of_key(entered.key, facts);
  if (region < kUnknownRegion) record_enter(entered, region);
}

void leave_unknown(const Left& left) {
  if (!comes_in_time({0, left.frame, 0, left.stack, EarlyEvent::kLeave, left.is_user}, {})) return;
  if (left.is_user || g_regions.find(left.frame) < kUnknownRegion) record_leave(left);
}

namespace {

// A user region belongs to the function that enters it; that of a hook is inside the path, not part of it.
void look_at_stack(Thread& thread, std::uintptr_t stack, Ticks time) {
  end_coalesced_visit(thread);
  if (const Guard guard(thread.gate); guard && update_call_path(thread, time, stack)) return;
  close_frames_below(stack);
  if (const Guard guard(thread.gate); guard) update_call_path(thread, time, stack);
}

}  // namespace

void enter_rarely(std::uintptr_t frame, std::uintptr_t stack, bool is_user, std::uint32_t region, Ticks time) {
  Thread* thread = thread_for_books();
  if (thread && thread->call_path) look_at_stack(*thread, stack, time);
  enter_known_path(frame, stack, is_user, region, time);
}

void leave_rarely(std::uintptr_t frame, std::uintptr_t stack, bool is_user, Ticks time) {
  Thread* thread = t_thread;
  if (!thread) return;
  end_coalesced_visit(*thread);
  std::size_t chosen = 0;
  if (const Guard guard(thread->gate, Guard::kEvenPaused); guard) {
    if (thread->frames.leave_too_deep(stack)) return;
    std::size_t count = is_user ? thread->frames.count_to_region(reinterpret_cast<const char*>(frame))
                                : thread->frames.count_to(frame, stack);
    for (; count > 1; --count) chosen += close_gone_frame(*thread, time);
    if (count > 0) close_frame(*thread, time);  // its end is told
  }
  end_chosen(chosen);
}

namespace {

// After a step that was abandoned: trace, summary and depth agree again on which regions are open.
void repair(Thread& thread, Ticks time) {
  if (thread.traces) thread.events.repair();
  if (thread.traces && thread.summarises) {
    while (thread.events.depth() > thread.profile.depth()) thread.events.leave(time);
    while (thread.profile.depth() > thread.events.depth()) thread.profile.leave(time);
  }
  thread.depth = static_cast<std::uint32_t>(thread.traces ? thread.events.depth() : thread.profile.depth());
}

}  // namespace

// A jump out of a signal handler that had interrupted a recording step leaves the step undone.
void close_frames_below(std::uintptr_t stack) {
  Thread* thread = t_thread;
  if (!thread) return;
  const bool is_step_undone = thread->gate.abandon_step_below(stack);
  std::size_t chosen = 0;
  if (const Guard guard(thread->gate, Guard::kEvenPaused); guard) {
    if (is_step_undone) repair(*thread, now());
    if (is_step_undone && thread->call_path) thread->call_path->forget();
    if (thread->gate.has_coalesced_visit()) close_coalesced_visit(*thread);
    while (thread->frames.is_top_gone(stack)) chosen += close_gone_frame(*thread, now());
  }
  end_chosen(chosen);
}

void pause_events() {
  if (!comes_in_time({.kind = EarlyEvent::kPause}, {})) return;
  Thread* thread = current_thread();
  if (thread) put(*thread, EventKind::kMeasurementOnOff, now(), 0);
  pause_recording();
}

void resume_events() {
  if (!comes_in_time({.kind = EarlyEvent::kResume}, {})) return;
  resume_recording();
  Thread* thread = current_thread();
  if (thread) put(*thread, EventKind::kMeasurementOnOff, now(), 1);
}

}  // namespace tarry::measure
