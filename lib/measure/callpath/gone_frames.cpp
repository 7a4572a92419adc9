// gone_frames.cpp -- closes the frames of functions and user regions whose end nobody tells.
#include "measure/callpath/gone_frames.hpp"

#include "measure/callpath/call_path.hpp"

namespace tarry::measure {

constinit const RegionWatch* g_region_watch = nullptr;

namespace {

bool is_top_watched(const Thread& thread) {
  if (!g_region_watch || !thread.frames.top().is_user) return false;
  return g_region_watch->watches(reinterpret_cast<const char*>(thread.frames.top().key));
}

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

void close_frame(Thread& thread, Ticks time) {
  const Frame frame = thread.frames.top();
  if (frame.is_unwound) return close_unwound_frame(thread, time);
  if (frame.is_recorded && !thread.gate.is_paused()) note_blocked_time(thread, time);
  thread.frames.pop();
  while (frame.is_recorded && thread.depth > frame.depth) leave_counted(thread, time);
}

std::size_t close_gone_frame(Thread& thread, Ticks time) {
  const bool is_watched = is_top_watched(thread);
  close_frame(thread, time);
  return is_watched;
}

void end_watched_regions(std::size_t count) {
  for (; count > 0; --count) g_region_watch->end();
}

// A jump out of a signal handler that had interrupted a recording step leaves the step undone.
void close_frames_below(std::uintptr_t stack) {
  Thread* thread = t_thread;
  if (!thread) return;
  const bool is_step_undone = thread->gate.abandon_step_below(stack);
  std::size_t watched = 0;
  if (const Guard guard(thread->gate, Guard::kEvenPaused); guard) {
    if (is_step_undone) repair(*thread, now());
    if (CallPath* const path = kCallPath.of(*thread); path && is_step_undone) path->forget();
    if (thread->gate.has_coalesced_visit()) close_coalesced_visit(*thread);
    while (thread->frames.is_top_gone(stack)) watched += close_gone_frame(*thread, now());
  }
  end_watched_regions(watched);
}

}  // namespace tarry::measure
