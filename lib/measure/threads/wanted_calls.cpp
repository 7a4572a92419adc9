// wanted_calls.cpp -- chooses the functions of POSIX threads that are recorded.
#include "measure/threads/wanted_calls.hpp"

#include <iterator>
#include <string_view>

#include "measure/callpath/left_out_calls.hpp"

namespace tarry::measure {

constinit std::atomic<std::uint32_t> g_unwanted_calls = 0;

namespace {

static_assert(std::size(kThreadFunctions) <= 32);

std::uint8_t group_of_function(std::string_view name) {
  if (name == "pthread_create" || name == "pthread_join") return kThreadCreateEvents;
  return name.starts_with("pthread_mutex_") || name.starts_with("pthread_rwlock_") ? kThreadLockEvents
                                                                                   : kThreadWaitEvents;
}

void choose_calls(const ProcessFacts&) {
  std::uint32_t unwanted = 0;
  for (std::size_t i = 0; i < std::size(kThreadFunctions); ++i) {
    const std::string_view name = kThreadFunctions[i].name;
    const std::string_view prefix = name.substr(0, name.find('_') + 1);
    if (g_left_out_of_threads.leaves_out(name, group_of_function(name), prefix)) unwanted |= 1u << i;
  }
  g_unwanted_calls.store(unwanted, std::memory_order_relaxed);
}

}  // namespace

bool is_call_wanted(ThreadFunction function) {
  const std::uint32_t unwanted = g_unwanted_calls.load(std::memory_order_relaxed);
  if (!(unwanted >> static_cast<int>(function) & 1)) [[likely]]
    return true;
  g_left_out_of_threads.note();
  return false;
}

constinit const Adapter kThreadAdapter = {.starting = choose_calls};

}  // namespace tarry::measure
