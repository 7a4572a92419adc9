// steps.cpp -- steps that are not plain.
//
// They read counters, close a coalesced visit first, or look for functions without hooks. Or they come while the
// recording is paused, or at its end.
#include "measure/callpath/steps.hpp"

#include "measure/callpath/call_path.hpp"

namespace tarry::measure {

namespace {

template <class Record>
bool enter_found(Thread& thread, Ticks time, Record record) {
  end_coalesced_visit(thread);
  const Guard guard(thread.gate);
  if (!guard) return false;
  update_call_path(thread, time);
  note_blocked_time(thread, time);
  record();
  return true;
}

}  // namespace

bool enter_otherwise(Thread& thread, RegionId region, Ticks time) {
  return enter_found(thread, time, [&] { enter_counted(thread, region_of_call(thread, region), time); });
}

bool enter_place(Thread& thread, RegionId region, Ticks time) {
  return enter_found(thread, time, [&] { enter_counted(thread, region, time); });
}

bool enter_around_functions(Thread& thread, RegionId region, Ticks time) {
  end_coalesced_visit(thread);
  const Guard guard(thread.gate);
  if (guard) note_blocked_time(thread, time);
  if (guard) enter_counted(thread, region, time);
  return static_cast<bool>(guard);
}

bool enter_task(Thread& thread, RegionId region, Ticks time) {
  return enter_found(thread, time, [&] { enter_task_counted(thread, region, time); });
}

void find_functions(Thread& thread) {
  if (!kCallPath.of(thread)) return;
  end_coalesced_visit(thread);
  const Guard guard(thread.gate);
  if (!guard) return;
  update_call_path(thread);
  note_blocked_time(thread, now());
}

void switch_recording_off() {
  if (Thread* const thread = current_thread()) put(*thread, now(), record::MeasurementOnOff{.is_on = 0});
  pause_recording();
}

void switch_recording_on() {
  resume_recording();
  if (Thread* const thread = current_thread()) put(*thread, now(), record::MeasurementOnOff{.is_on = 1});
}

void take_back(Thread& thread, const EventBuffer::RecordPlace& record) {
  const Guard guard(thread.gate);
  if (!guard || !thread.events.take_back(record)) return;
  if (thread.summarises) thread.profile.uncount_event(static_cast<Bytes>(record.end - record.begin));
}

void leave_otherwise(Thread& thread, Ticks time) {
  end_coalesced_visit(thread);
  const Guard guard(thread.gate, Guard::kEvenPaused);
  if (!guard) return;
  close_unwound_frames(thread, time);
  if (!thread.gate.is_paused()) note_blocked_time(thread, time);
  leave_counted(thread, time);
}

}  // namespace tarry::measure
