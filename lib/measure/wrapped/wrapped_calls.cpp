// wrapped_calls.cpp -- records the calls of functions of libraries, which tarry_wrapped_call() hands on.
//
// Of calls inside each other the outermost one is recorded, unless TARRY_WRAP_NESTED is set. What a library calls is
// its own affair. MPI, files and devices are recorded in it.
#include "defs/region_filter.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/callpath/library_call.hpp"
#include "measure/core/hook.hpp"
#include "measure/core/runtime.hpp"
#include "measure/processor/saved_call.hpp"
#include "measure/wrapped/call_sizes.hpp"
#include "measure/wrapped/real_functions.hpp"

namespace tarry::measure {
namespace {

using processor::SavedCall;

// What tarry_wrapped_call() is told of a call that is not recorded: the real function takes its place.
constexpr std::int64_t kHandOn = -1;

// WrappedFunction::region: a region's number is kept with this added to it.
constexpr std::uint64_t kLeftOut = 1, kFirstRegion = 2;

// Defined twice where two threads come first at the same time: equal regions are one when definitions are unified.
[[gnu::noinline]] std::uint64_t define_region(WrappedFunction& function) {
  std::uint64_t defined = kLeftOut;
  if (region_filter().includes(function.name, "", function.library)) {
    const auto region =
        definitions().try_add_region(function.name, function.library, 0, Paradigm::kUser, RegionRole::kWrapper);
    if (!region) return kLeftOut;
    defined = region->value + kFirstRegion;
  }
  function.region.store(defined, std::memory_order_release);
  return defined;
}

RegionId region_of(WrappedFunction& function) {
  std::uint64_t known = function.region.load(std::memory_order_acquire);
  if (!known) [[unlikely]]
    known = define_region(function);
  return known >= kFirstRegion ? RegionId(known - kFirstRegion) : RegionId();
}

bool is_nested(const Thread& thread, std::uintptr_t stack) {
  return thread.frames.is_any_call_on_top() && !thread.frames.is_top_gone(stack);
}

// nullptr: nothing is recorded here and now.
Thread* thread_of_call(std::uintptr_t stack) {
  if (!is_recording()) return nullptr;
  Thread* const thread = current_thread();
  if (!thread) return note_missed_call(t_thread), nullptr;
  return is_nested(*thread, stack) && !settings().wraps_nested ? nullptr : thread;
}

Thread* enter_rarely(Thread* thread, RegionId region, RegionId sizes, const void* caller, bool& is_entered,
                     bool& has_sizes) {
  Ticks time = 0;
  begin_library_call_rarely(thread, region, caller, time, is_entered);
  if (!is_entered || !sizes.is_valid()) return thread;
  const Guard guard(thread->gate);
  has_sizes = static_cast<bool>(guard);
  if (has_sizes) enter_counted(*thread, sizes, time);
  return thread;
}

bool enter_call(SavedCall& call, Thread* thread, RegionId region, RegionId sizes, const void* caller) {
  bool is_entered = false;
  bool has_sizes = sizes.is_valid();
  Ticks time = 0;
  const auto rarely = [&] {
    has_sizes = false;
    return enter_rarely(thread, region, sizes, caller, is_entered, has_sizes);
  };
  const auto enter_sizes = [sizes](Thread& entered, Ticks at) {
    if (sizes.is_valid()) enter_guarded(entered, sizes, at);
  };
  begin_library_call(thread, region, caller, time, is_entered, rarely, enter_sizes);
  if (is_entered && thread->frames.is_call_on_top(reinterpret_cast<std::uintptr_t>(caller)))
    thread->frames.open_top_call();
  call.has_sizes = has_sizes;
  return is_entered;
}

// Frames that are open further in have ended; then the region of the sizes is the innermost one.
void leave_rarely(Thread& thread, bool has_sizes, std::uintptr_t stack, Ticks time) {
  end_coalesced_visit(thread);
  if (thread.frames.is_top_gone(stack - 1)) close_frames_below(stack - 1);
  if (const Guard guard(thread.gate, Guard::kEvenPaused); guard && has_sizes) leave_counted(thread, time);
  end_library_call_rarely(thread, stack, time);
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

/// Before the call: how many words on the stack belong to it; negative: it is not recorded.
extern "C" [[gnu::visibility("hidden")]] std::int64_t tarry_begin_wrapped_call(WrappedFunction* function,
                                                                               SavedCall* call, const void* caller) {
  const Hook hook;
  call->real = real_function(*function, reinterpret_cast<const void*>(processor::return_address_to(caller)));
  Thread* const thread = thread_of_call(reinterpret_cast<std::uintptr_t>(caller));
  const RegionId region = thread ? region_of(*function) : RegionId();
  if (!region.is_valid()) return kHandOn;
  call->thread = thread;
  const RegionId sizes = region_of_sizes(*function, *call, caller);
  return enter_call(*call, thread, region, sizes, caller) ? function->stack_words : kHandOn;
}

/// Behind it.
extern "C" [[gnu::visibility("hidden")]] void tarry_end_wrapped_call(const SavedCall* call, const void* caller) {
  const Hook hook;
  const Ticks time = now();
  Thread& thread = *static_cast<Thread*>(call->thread);
  const bool has_sizes = call->has_sizes;
  const auto rarely = [&] { leave_rarely(thread, has_sizes, reinterpret_cast<std::uintptr_t>(caller), time); };
  end_library_call(thread, caller, time, rarely, [has_sizes](Thread& left, Ticks at) {
    if (has_sizes) leave_guarded(left, at);
  });
}
