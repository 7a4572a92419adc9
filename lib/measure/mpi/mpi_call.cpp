// mpi_call.cpp -- enter and leave of MPI functions, defined as regions when they are first called.
#include "measure/mpi/mpi_call.hpp"

#include <atomic>

#include "measure/core/runtime.hpp"

namespace tarry::measure {

bool g_has_concurrent_calls = false;

namespace {

constexpr std::size_t kFunctionCount = sizeof kMpiFunctions / sizeof kMpiFunctions[0];

std::mutex g_regions_mutex;
std::atomic<std::uint32_t> g_regions[kFunctionCount];  // region + 1; 0: not defined yet

std::uint32_t define_region(std::size_t function) {
  const std::lock_guard lock(g_regions_mutex);
  if (const std::uint32_t defined = g_regions[function].load()) return defined - 1;
  const MpiFunctionInfo& info = kMpiFunctions[function];
  const std::uint32_t region = definitions().add_region(info.name, "MPI", 0, Paradigm::kMpi, info.role);
  g_regions[function].store(region + 1, std::memory_order_release);
  return region;
}

std::uint32_t region_of(MpiFunction function) {
  const auto index = static_cast<std::size_t>(function);
  const std::uint32_t region = g_regions[index].load(std::memory_order_acquire);
  if (region == 0) [[unlikely]] return define_region(index);
  return region - 1;
}

}  // namespace

Thread* begin_mpi_call(MpiFunction function, Ticks& time, bool& is_entered) {
  Thread* thread = current_thread();
  if (!thread) return nullptr;
  const std::uint32_t region = region_of(function);
  time = now();
  is_entered = enter(*thread, region, time);
  return thread;
}

void end_mpi_call(Thread& thread, Ticks time) { leave(thread, time); }

bool record_init(MpiFunction function, Ticks time) {
  Thread* thread = current_thread();
  return thread && enter(*thread, region_of(function), time);
}

}  // namespace tarry::measure
