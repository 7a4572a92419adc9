// recorder.cpp -- steps with counters, and the ends of those that did not fit.
#include "measure/core/recorder.hpp"

namespace tarry::measure {
namespace {

// Reads all counters and records them, before the step itself. What has happened since the step before goes to the call
// path that is open. Returns the bytes that the records take in a trace.
Bytes record_counters(Thread& thread, Ticks time) {
  StepCounters& counters = *thread.counters;
  counters.read();
  const auto ids = counters.ids();
  const auto values = counters.values();
  for (std::size_t i = 0; i < ids.size() && thread.traces; ++i)
    thread.events.put(time, record::Metric{.metric = ids[i], .value = values[i]});
  if (!thread.summarises) return 0;
  thread.profile.count(values);
  return thread.profile.metric_bytes(time, ids, values);
}

// `enter` enters a region.
template <class Enter>
void with_counters(Thread& thread, Ticks time, Enter enter) {
  if (!thread.counters) return enter();
  const Bytes bytes = record_counters(thread, time);
  enter();
  if (!thread.summarises) return;
  thread.profile.note_metrics(thread.counters->ids().size(), bytes);
  thread.profile.raise(thread.counters->values());
}

}  // namespace

void enter_counted(Thread& thread, RegionId region, Ticks time) {
  with_counters(thread, time, [&] { enter_guarded(thread, region, time); });
}

void enter_task_counted(Thread& thread, RegionId region, Ticks time) {
  with_counters(thread, time, [&] {
    ++thread.depth;
    if (thread.traces) thread.events.enter(time, region);
    if (thread.summarises) thread.profile.enter_task(time, region);
  });
}

void leave_counted(Thread& thread, Ticks time) {
  if (!thread.counters) return leave_guarded(thread, time);
  const Bytes bytes = record_counters(thread, time);
  if (thread.summarises) thread.profile.note_metrics(thread.counters->ids().size(), bytes);
  leave_guarded(thread, time);
  if (thread.summarises) thread.profile.raise(thread.counters->values());
}

namespace {

// Behind the push of the region's frame.
void note_blocked_around(Thread& thread, Ticks time) {
  if (time - thread.blocked.looked_at < look_interval()) return;
  const bool is_code = is_in_code(thread, *(&thread.frames.top() - 1), thread.depth - 1);
  if (const Ticks blocked = look_for_blocked_time(thread, time, is_code)) record_blocked_time(thread, time, blocked);
}

// Behind the pop of its frame.
void note_blocked_inside(Thread& thread, Ticks time) {
  if (time - thread.blocked.looked_at < look_interval()) return;
  if (const Ticks blocked = look_for_blocked_time(thread, time, true)) record_blocked_time(thread, time, blocked);
}

}  // namespace

void finish_enter(Thread& thread, RegionId region, Ticks time) {
  note_blocked_around(thread, time);
  thread.events.enter(time, region);
  if (thread.summarises) thread.profile.enter(time, region);
  LongHold::release(thread.gate);
}

void finish_leave(Thread& thread, Ticks time) {
  note_blocked_inside(thread, time);
  thread.events.leave(time);
  if (thread.summarises) thread.profile.leave(time);
  LongHold::release(thread.gate);
}

void finish_enter_in_summary(Thread& thread, RegionId region, Ticks time) {
  if (!thread.traces) note_blocked_around(thread, time);
  thread.profile.enter(time, region);
  LongHold::release(thread.gate);
}

void finish_leave_in_summary(Thread& thread, Ticks time) {
  if (!thread.traces) note_blocked_inside(thread, time);
  thread.profile.leave(time);
  LongHold::release(thread.gate);
}

}  // namespace tarry::measure
