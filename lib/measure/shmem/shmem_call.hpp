// shmem_call.hpp -- one call of OpenSHMEM while it is being recorded: enter, records, leave, with two time stamps.
//
// The functions are regular, and no handle differs from library to library. So wrappers are made from lists of types
// (shmem_types.def), without a library's header, and fit all libraries. What follows a wrapper is the library's
// pshmem_X, or else its shmem_X.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "measure/callpath/library_call.hpp"

/// Stands before the definition of a function that the program finds in place of the library's own.
#define TARRY_SHMEM_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {

/// A function of OpenSHMEM: where the library's own is, and its region, both found at the first call.
struct ShmemFunction {
  constexpr ShmemFunction(const char* name, RegionRole role) : name(name), role(role) {}

  const char* name;
  RegionRole role;
  std::atomic<void*> next{nullptr};
  std::atomic<RegionId> region{RegionId()};
};

/// The library's own function. nullptr, and a line that says so, if there is none.
void* find_next(ShmemFunction& function);

/// Calls the library's own function, which takes these arguments. Without one the answer is zero.
template <class Result, class... Arguments>
Result call_next(ShmemFunction& function, Arguments... arguments) {
  void* next = function.next.load(std::memory_order_acquire);
  if (!next && !(next = find_next(function))) return Result();
  return reinterpret_cast<Result (*)(Arguments...)>(next)(arguments...);
}

using RecordPlace = EventBuffer::RecordPlace;

/// Lives in a wrapper from its begin to its end, as MpiCall. Calls that the library makes of itself are not recorded.
class ShmemCall {
 public:
  /// `caller` is from stack_of_caller_here() in the function that the program calls.
  ShmemCall(ShmemFunction& function, const void* caller);
  ~ShmemCall();
  ShmemCall(const ShmemCall&) = delete;
  ShmemCall& operator=(const ShmemCall&) = delete;

  bool is_recorded() const { return thread_; }
  void returned() { time_ = now(); }

  template <class Record>
  void put(const Record& record) {
    measure::put(*thread_, time_, record);
  }

 private:
  Ticks time_ = 0;
  bool is_entered_ = false;
  bool is_outermost_;
  const void* caller_;
  Thread* thread_;
};

/// For shmem_init, at the time it was called; false if the recording is paused.
bool enter_shmem(ShmemFunction& function, Ticks time);

/// Runs one call: what `facts` puts at its begin and at its end, and between them the library's own function.
template <class Result, class Facts, class... Arguments>
[[gnu::noinline]] Result run_shmem(ShmemFunction& function, const void* caller, Facts facts, Arguments... arguments) {
  ShmemCall call(function, caller);
  if (!call.is_recorded()) return call_next<Result>(function, arguments...);
  facts.begin(call);
  if constexpr (std::is_void_v<Result>) {
    call_next<Result>(function, arguments...);
    call.returned();
    facts.end(call);
  } else {
    const Result result = call_next<Result>(function, arguments...);
    call.returned();
    facts.end(call, result);
    return result;
  }
}

/// Nothing but enter and leave.
struct NoFacts {
  void begin(ShmemCall&) const {}
  template <class... Result>
  void end(ShmemCall&, Result...) const {}
};

/// The first statement of a wrapper: the function that it stands for.
#define TARRY_SHMEM_FUNCTION(name, role) \
  static constinit ::tarry::measure::ShmemFunction function(name, ::tarry::RegionRole::role)

}  // namespace tarry::measure
