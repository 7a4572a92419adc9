// device_calls.cpp -- calls of accelerators' libraries, as those in front of them tell them.
#include <atomic>

#include "measure/callpath/calling_code.hpp"
#include "measure/callpath/coalesced_calls.hpp"
#include "measure/callpath/library_call.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/devices/device_queue.hpp"

namespace tarry::measure {
namespace {

// Defined twice where two threads come first at the same time: equal regions are one when definitions are unified.
RegionId define_region(DeviceFunction& function) {
  const auto region = definitions().try_add_region(function.name, "", 0, function.paradigm, RegionRole::kWrapper);
  if (!region) return RegionId();
  function.region.store(*region, std::memory_order_release);
  return *region;
}

// MPI and runtimes look for accelerators, too.
bool is_of_program(const void* caller) {
  const CallingCode code = calling_code(reinterpret_cast<const void*>(processor::return_address_to(caller)));
  return code != CallingCode::kRuntime;
}

// nullptr: nothing is recorded here and now.
Thread* thread_of_call() {
  Thread* const thread = current_thread();
  if (!thread) note_missed_call(t_thread);
  return thread && thread->gate.is_open() ? thread : nullptr;
}

RegionId region_of_function(DeviceFunction& function) {
  const RegionId known = function.region.load(std::memory_order_acquire);
  return known.is_valid() ? known : define_region(function);
}

DeviceCall begin_call(DeviceFunction& function, const void* caller) {
  if (!is_recording() || !is_of_program(caller)) return {};
  Thread* const thread = thread_of_call();
  if (!thread || thread->frames.is_closed_call_on_top()) return {};
  const InHandler memory(InHandler::Locks::kWaitFor);
  const RegionId region = region_of_function(function);
  if (!region.is_valid()) return {};
  bool is_entered = false;
  Ticks time = 0;
  begin_library_call_rarely(thread, region, caller, time, is_entered);
  return is_entered ? DeviceCall{thread} : DeviceCall();
}

// The library goes on when the callback has returned, further up on the stack. So the call does not lie there. It takes
// the place right inside the function that has called the library.
const void* begin_told_call(DeviceFunction& function, const void* callback) {
  if (!is_recording()) return nullptr;
  Thread* const thread = thread_of_call();
  if (!thread) return nullptr;
  const auto place = reinterpret_cast<std::uintptr_t>(callback);
  if (thread->frames.is_top_gone(place)) close_frames_below(place);
  if (thread->frames.is_closed_call_on_top()) return nullptr;
  const InHandler memory(InHandler::Locks::kWaitFor);
  const RegionId region = region_of_function(function);
  if (!region.is_valid()) return nullptr;
  end_coalesced_visit(*thread);
  Ticks entered = 0;
  if (const Guard guard(thread->gate); guard) update_call_path_of(*thread, registers_of(callback), entered);
  if (!thread->frames.has_room()) return nullptr;
  const std::uintptr_t stack = thread->frames.place_inside_top(place);
  bool is_entered = false;
  enter_library_call(now(), thread, region, stack, is_entered);
  return is_entered ? reinterpret_cast<const void*>(stack) : nullptr;
}

bool records_queues() { return is_recording() && settings().traces; }

void end_call(DeviceCall call, const void* caller, CalledFor what) {
  Thread& thread = *static_cast<Thread*>(call.thread);
  const InHandler memory(InHandler::Locks::kWaitFor);
  const auto rarely = [&] { end_library_call_rarely(thread, reinterpret_cast<std::uintptr_t>(caller), now()); };
  const auto more = [&what](Thread& of, Ticks time) {
    if (what.queue) put_guarded(of, time, record::Attribute{.attribute = kQueueAttribute, .value = what.queue->number});
    if (what.work != 0) put_guarded(of, time, record::Attribute{.attribute = kWorkAttribute, .value = what.work});
  };
  end_library_call(thread, caller, now(), rarely, more);
}

// Whoever tells may tell nonsense, or the program has jumped out of the call. Then it is none of the open ones.
void end_told_call(const void* begun, CalledFor what) {
  Thread* const thread = t_thread;
  if (!thread) return;
  const InHandler memory(InHandler::Locks::kWaitFor);
  const auto stack = reinterpret_cast<std::uintptr_t>(begun);
  if (!thread->frames.is_call_below_callbacks(stack, thread->depth)) return;
  if (thread->frames.is_top_gone(stack - 1)) close_frames_below(stack - 1);
  if (thread->frames.is_call_on_top(stack)) end_call({thread}, begun, what);
}

bool are_traces_wanted() {
  Settings settings;
  read_settings(settings);
  return settings.traces;
}

bool may_record_queues() {
  if (phase() == Phase::kOff) return false;
  if (is_recording()) return settings().traces;
  static const bool are_wanted = are_traces_wanted();
  return are_wanted;
}

void say_for_layer(const char* text) { say(text); }

}  // namespace
}  // namespace tarry::measure

extern "C" __attribute__((visibility("default"))) const tarry::measure::DeviceHooks* tarry_device_hooks() {
  using namespace tarry::measure;
  static constexpr DeviceHooks kHooks = {.begin = begin_call,
                                         .end = end_call,
                                         .begin_told = begin_told_call,
                                         .end_told = end_told_call,
                                         .records_queues = records_queues,
                                         .may_record_queues = may_record_queues,
                                         .open_queue = open_device_queue,
                                         .new_work = new_work_number,
                                         .work_started = note_started_work,
                                         .work_done = record_done_work,
                                         .work_lost = note_lost_work,
                                         .locked = run_with_devices,
                                         .flush_at_end = flush_devices_at_end,
                                         .say = say_for_layer};
  return &kHooks;
}
