// mpi_call.cpp -- enter and leave of MPI functions, defined as regions when they are first called.
#include "measure/mpi/mpi_call.hpp"

#include <atomic>
#include <new>

#include "measure/callpath/library_call.hpp"
#include "measure/core/runtime.hpp"
#include "measure/mpi/left_out.hpp"

namespace tarry::measure {

bool g_has_concurrent_calls = false;

[[gnu::cold]] void CallLock::take(RecorderLock& lock, LockSite site) { new (&locked_) Locked(lock, site); }
[[gnu::cold]] void CallLock::give_back() { locked_.~Locked(); }

namespace {

constexpr std::size_t kFunctionCount = sizeof kMpiFunctions / sizeof kMpiFunctions[0];

RecorderLock g_functions_lock;
constinit std::atomic<RegionId> g_function_regions[kFunctionCount];
constinit std::atomic<bool> g_are_left_out[kFunctionCount];  // these have no region

// The region of a function that is left out is not valid.
RegionId define_region(std::size_t function) {
  const Locked lock(g_functions_lock);
  if (const RegionId defined = g_function_regions[function].load(); defined.is_valid()) return defined;
  const MpiFunctionInfo& info = kMpiFunctions[function];
  if (is_left_out(info)) {
    g_are_left_out[function] = true;
    return RegionId();
  }
  const RegionId region = definitions().add_region(info.name, "MPI", 0, Paradigm::kMpi, info.role);
  g_function_regions[function].store(region, std::memory_order_release);
  return region;
}

RegionId region_of(MpiFunction function) {
  const auto index = static_cast<std::size_t>(function);
  const RegionId region = g_function_regions[index].load(std::memory_order_acquire);
  if (!region.is_valid()) [[unlikely]]
    return define_region(index);
  return region;
}

// For the first call of the thread or of the function, too.
[[gnu::noinline]] Thread* begin_rarely(MpiFunction function, const void* caller, Ticks& time, bool& is_entered) {
  if (g_are_left_out[static_cast<std::size_t>(function)].load(std::memory_order_relaxed)) return nullptr;
  Thread* const thread = current_thread();
  if (!thread) return note_missed_call(t_thread), nullptr;
  const RegionId region = region_of(function);
  return region.is_valid() ? begin_library_call_rarely(thread, region, caller, time, is_entered) : nullptr;
}

}  // namespace

Thread* begin_mpi_call(MpiFunction function, const void* caller, Ticks& time, bool& is_entered) {
  Thread* const thread = t_thread;
  const auto rarely = [&] { return begin_rarely(function, caller, time, is_entered); };
  const RegionId region = g_function_regions[static_cast<std::size_t>(function)].load(std::memory_order_acquire);
  if (!thread || !region.is_valid()) [[unlikely]]
    return rarely();
  return begin_library_call(thread, region, caller, time, is_entered, rarely);
}

bool may_open_coalesced_visit(CoalescedCall& call, CoalescedFunction coalesced, MpiFunction function) {
  const RegionId region = g_function_regions[static_cast<std::size_t>(function)].load(std::memory_order_acquire);
  return region.is_valid() && open_coalesced_visit(call, coalesced, region);
}

// Closing the visit enters the call, as does a signal handler that has closed it, or a function that MPI has called
// back. Where none could, the call is entered now; its object on the stack is the new one in any case.
Thread* begin_coalesced_call(MpiFunction function, const CoalescedCall& call, const void* caller, Ticks& time,
                             bool& is_entered) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  Thread* thread = current_thread();
  if (!thread) return note_missed_call(t_thread), nullptr;
  end_coalesced_visit(*thread);
  time = call.began();
  if (thread->frames.top().is_unwound && thread->frames.is_call_below_callbacks(call.stack(), thread->depth))
    end_callbacks(*thread, now());
  if (!thread->frames.is_call_on_top(call.stack()))
    return enter_library_call(time, thread, region_of(function), stack, is_entered);
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

void end_mpi_call(Thread& thread, const void* caller, Ticks time) { end_library_call(thread, caller, time); }

bool record_init(MpiFunction function, Ticks time) {
  Thread* thread = current_thread();
  return thread && enter_otherwise(*thread, region_of(function), time);
}

}  // namespace tarry::measure
