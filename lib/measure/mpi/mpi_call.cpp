// mpi_call.cpp -- enter and leave of MPI functions, defined as regions when they are first called.
//
// A call is among the thread's frames while it is open: an error handler may jump out of it.
#include "measure/mpi/mpi_call.hpp"

#include <atomic>

#include "measure/callpath/call_path.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {

bool g_has_concurrent_calls = false;

namespace {

constexpr std::size_t kFunctionCount = sizeof kMpiFunctions / sizeof kMpiFunctions[0];

std::mutex g_functions_mutex;
std::atomic<std::uint32_t> g_function_regions[kFunctionCount];  // region + 1; 0: not defined yet

std::uint32_t define_region(std::size_t function) {
  const std::lock_guard lock(g_functions_mutex);
  if (const std::uint32_t defined = g_function_regions[function].load()) return defined - 1;
  const MpiFunctionInfo& info = kMpiFunctions[function];
  const std::uint32_t region = definitions().add_region(info.name, "MPI", 0, Paradigm::kMpi, info.role);
  g_function_regions[function].store(region + 1, std::memory_order_release);
  return region;
}

std::uint32_t region_of(MpiFunction function) {
  const auto index = static_cast<std::size_t>(function);
  const std::uint32_t region = g_function_regions[index].load(std::memory_order_acquire);
  if (region == 0) [[unlikely]]
    return define_region(index);
  return region - 1;
}

Thread* enter_at(Ticks time, Thread* thread, std::uint32_t region, std::uintptr_t stack, bool& is_entered) {
  const Guard guard(thread->gate);
  is_entered = static_cast<bool>(guard);
  if (!is_entered) return thread;
  if (thread->frames.has_room()) thread->frames.push_call(stack, thread->depth);
  enter_counted(*thread, region_of_call(*thread, region), time);
  return thread;
}

// An unwound frame is looked at by the call path.
bool is_top_gone(const Thread& thread, std::uintptr_t stack) {
  return thread.frames.top().stack < stack && !thread.frames.top().is_unwound;
}

Registers registers_of(const void* caller) {
  const auto* const stack = static_cast<const std::uintptr_t*>(caller);
  return {.return_address = stack[-1], .stack = reinterpret_cast<std::uintptr_t>(caller), .base = stack[-2]};
}

bool look_at_caller(Thread& thread, const void* caller, Ticks& time) {
  const Hold hold(thread.gate);
  return update_call_path_of(thread, registers_of(caller), time);
}

// For the first call of the thread or of the function, calls too deep to be noted, and calls further in that have no
// end. Also for an open coalesced visit and for a recording that is paused or has counters.
[[gnu::noinline]] Thread* begin_rarely(MpiFunction function, const void* caller, Ticks& time, bool& is_entered) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  Thread* thread = current_thread();
  if (!thread) return nullptr;
  const std::uint32_t region = region_of(function);
  end_coalesced_visit(*thread);
  if (thread->frames.is_top_gone(stack)) close_frames_below(stack);
  Ticks entered = 0;
  if (const Guard guard(thread->gate); guard) update_call_path_of(*thread, registers_of(caller), entered);
  time = now();
  return enter_at(time, thread, region, stack, is_entered);
}

[[gnu::noinline]] void end_rarely(Thread& thread, std::uintptr_t stack, Ticks time) {
  end_coalesced_visit(thread);
  const std::uintptr_t inside = stack - 1;  // the call's own frame stays
  if (thread.frames.is_top_gone(inside)) close_frames_below(inside);
  const Guard guard(thread.gate, Guard::kEvenPaused);
  if (!guard) return;
  leave_counted(thread, time);
  if (thread.frames.is_call_on_top(stack)) thread.frames.pop();
}

}  // namespace

Thread* begin_mpi_call(MpiFunction function, const void* caller, Ticks& time, bool& is_entered) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  Thread* thread = t_thread;
  const std::uint32_t region = g_function_regions[static_cast<std::size_t>(function)].load(std::memory_order_acquire);
  if (!thread || region == 0 || !thread->gate.is_open_and_plain() || is_top_gone(*thread, stack)) [[unlikely]]
    return begin_rarely(function, caller, time, is_entered);
  Ticks entered = 0;
  if (thread->call_path && !look_at_caller(*thread, caller, entered)) [[unlikely]]
    return begin_rarely(function, caller, time, is_entered);
  if (!thread->frames.has_room()) [[unlikely]]
    return begin_rarely(function, caller, time, is_entered);
  time = entered ? entered : now();
  const Hold hold(thread->gate);
  thread->frames.push_call(stack, thread->depth);
  enter_guarded(*thread, region_of_call(*thread, region - 1), time);
  is_entered = true;
  return thread;
}

bool may_open_coalesced_visit(CoalescedCall& call, CoalescedFunction coalesced, MpiFunction function) {
  const std::uint32_t region = g_function_regions[static_cast<std::size_t>(function)].load(std::memory_order_acquire);
  return region != 0 && open_coalesced_visit(call, coalesced, region - 1);
}

// Closing the visit enters the call, as does a signal handler that has closed it. Where neither could, the call is
// entered now; its object on the stack is the new one in any case.
Thread* begin_coalesced_call(MpiFunction function, const CoalescedCall& call, const void* caller, Ticks& time,
                             bool& is_entered) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  Thread* thread = current_thread();
  if (!thread) return nullptr;
  end_coalesced_visit(*thread);
  time = call.began();
  if (!thread->frames.is_call_on_top(call.stack()))
    return enter_at(time, thread, region_of(function), stack, is_entered);
  const Guard guard(thread->gate, Guard::kEvenPaused);
  is_entered = static_cast<bool>(guard);
  if (!guard) return thread;
  thread->frames.pop();
  thread->frames.push_call(stack, thread->depth - 1);
  return thread;
}

void end_callbacks(Thread& thread, Ticks time) {
  if (const Guard guard(thread.gate); guard) close_unwound_frames(thread, time);
}

void end_mpi_call(Thread& thread, const void* caller, Ticks time) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  if (!thread.gate.is_open_and_plain() || !thread.frames.is_call_on_top(stack)) [[unlikely]]
    return end_rarely(thread, stack, time);
  const Hold hold(thread.gate);
  leave_guarded(thread, time);
  thread.frames.pop();
}

bool record_init(MpiFunction function, Ticks time) {
  Thread* thread = current_thread();
  return thread && enter_otherwise(*thread, region_of(function), time);
}

}  // namespace tarry::measure
