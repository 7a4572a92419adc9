// device_calls.cpp -- calls of accelerators' libraries, as those in front of them tell them.
#include <atomic>

#include "measure/callpath/calling_code.hpp"
#include "measure/callpath/library_call.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/runtime.hpp"
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

DeviceCall begin_call(DeviceFunction& function, const void* caller) {
  if (!is_recording() || !is_of_program(caller)) return {};
  Thread* const thread = current_thread();
  if (!thread) note_missed_call(t_thread);
  if (!thread || !thread->gate.is_open() || thread->frames.is_any_call_on_top()) return {};
  const InHandler memory(InHandler::Locks::kWaitFor);
  const RegionId known = function.region.load(std::memory_order_acquire);
  const RegionId region = known.is_valid() ? known : define_region(function);
  if (!region.is_valid()) return {};
  bool is_entered = false;
  Ticks time = 0;
  begin_library_call_rarely(thread, region, caller, time, is_entered);
  return is_entered ? DeviceCall{thread} : DeviceCall();
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

}  // namespace
}  // namespace tarry::measure

extern "C" __attribute__((visibility("default"))) const tarry::measure::DeviceHooks* tarry_device_hooks() {
  using namespace tarry::measure;
  static constexpr DeviceHooks kHooks = {.begin = begin_call,
                                         .end = end_call,
                                         .records_queues = records_queues,
                                         .open_queue = open_device_queue,
                                         .new_work = new_work_number,
                                         .work_started = note_started_work,
                                         .work_done = record_done_work,
                                         .locked = run_with_devices};
  return &kHooks;
}
