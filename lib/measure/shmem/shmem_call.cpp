// shmem_call.cpp -- enter and leave of OpenSHMEM's functions, defined as regions when they are first called.
#include "measure/shmem/shmem_call.hpp"

#include <cstring>
#include <string>

#include "measure/core/loaded_object.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {
namespace {

RecorderLock g_shmem_functions_lock;
__thread bool t_is_in_shmem __attribute__((tls_model("initial-exec")));

RegionId define_shmem_region(ShmemFunction& function) {
  const Locked lock(g_shmem_functions_lock);
  if (const RegionId defined = function.region.load(); defined.is_valid()) return defined;
  const RegionId region = definitions().add_region(function.name, "SHMEM", 0, Paradigm::kShmem, function.role);
  function.region.store(region, std::memory_order_release);
  return region;
}

RegionId shmem_region(ShmemFunction& function) {
  const RegionId region = function.region.load(std::memory_order_acquire);
  return region.is_valid() ? region : define_shmem_region(function);
}

// For the first call of the thread or of the function, too.
[[gnu::noinline]] Thread* begin_shmem_rarely(ShmemFunction& function, const void* caller, Ticks& time,
                                             bool& is_entered) {
  Thread* const thread = current_thread();
  if (!thread) return note_missed_call(t_thread), nullptr;
  return begin_library_call_rarely(thread, shmem_region(function), caller, time, is_entered);
}

Thread* begin_shmem_call(ShmemFunction& function, const void* caller, Ticks& time, bool& is_entered) {
  Thread* const thread = t_thread;
  const auto rarely = [&] { return begin_shmem_rarely(function, caller, time, is_entered); };
  const RegionId region = function.region.load(std::memory_order_acquire);
  if (!thread || !region.is_valid()) [[unlikely]]
    return rarely();
  return begin_library_call(thread, region, caller, time, is_entered, rarely);
}

}  // namespace

void* find_next(ShmemFunction& function) {
  void* found = find_loaded((std::string("p") + function.name).c_str()).address;
  if (!found) found = find_loaded(function.name).address;
  if (!found) say(std::string(function.name) + " was called, but no OpenSHMEM library that has it is loaded");
  function.next.store(found, std::memory_order_release);
  return found;
}

ShmemCall::ShmemCall(ShmemFunction& function, const void* caller)
    : is_outermost_(!t_is_in_shmem), caller_(caller), thread_(nullptr) {
  if (!is_outermost_) return;
  t_is_in_shmem = true;
  thread_ = begin_shmem_call(function, caller, time_, is_entered_);
}

ShmemCall::~ShmemCall() {
  if (!is_outermost_) return;
  t_is_in_shmem = false;
  if (is_entered_) end_library_call(*thread_, caller_, time_);
}

bool enter_shmem(ShmemFunction& function, Ticks time) {
  Thread* const thread = current_thread();
  return thread && enter_otherwise(*thread, shmem_region(function), time);
}

}  // namespace tarry::measure
