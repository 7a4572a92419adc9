// hooks.cpp -- entry points for instrumented programs; C names, so that any compiler and language can call them.
#include "measure/core/runtime.hpp"

#define TARRY_HOOK extern "C" __attribute__((visibility("default")))

namespace {

constexpr std::uint32_t kNotRecorded = 0xffffffffu;

}  // namespace

/// Defines a region of the program; the number is for tarry_enter(). 0xffffffff while nothing is recorded.
TARRY_HOOK std::uint32_t tarry_define_region(const char* name, const char* file, std::uint32_t line) {
  using namespace tarry;
  if (!measure::is_recording()) return kNotRecorded;
  return measure::definitions().add_region(name, file, line, Paradigm::kUser, RegionRole::kFunction);
}

TARRY_HOOK void tarry_enter(std::uint32_t region) {
  tarry::measure::Thread* thread = tarry::measure::current_thread();
  if (thread) tarry::measure::enter(*thread, region, tarry::measure::now());
}

/// Leaves the region entered last.
TARRY_HOOK void tarry_leave() {
  tarry::measure::Thread* thread = tarry::measure::current_thread();
  if (thread) tarry::measure::leave(*thread, tarry::measure::now());
}
