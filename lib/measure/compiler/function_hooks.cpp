// function_hooks.cpp -- the entry points that compilers call under -finstrument-functions.
//
// The first instructions (9 of them) decide about filtered functions, which are to cost as little as an empty hook. A
// jump leads to the rest. Where nothing is recorded, all functions count as filtered. Instructions of recorded
// events: see the head of recorder.hpp.
#include "measure/compiler/function_recorder.hpp"
#include "measure/compiler/throttle.hpp"

// The instructions that decide fit into one line of the cache.
#define TARRY_HOOK extern "C" __attribute__((visibility("default"), aligned(64)))

namespace tarry::measure {
namespace {

Entered entered_by(std::uintptr_t key, std::uintptr_t stack, std::uintptr_t call_site) {
  return {.frame = key, .key = key, .stack = stack, .is_user = false, .call_site = call_site};
}
Left left_by(std::uintptr_t key, std::uintptr_t stack) { return {.frame = key, .stack = stack, .is_user = false}; }

// The hooks jump to these.
[[gnu::noinline]] void enter_otherwise(std::uintptr_t key, RegionId region, std::uintptr_t stack,
                                       std::uintptr_t call_site) {
  if (is_throttled(region)) return count_throttled(region);
  if (region == kUnknownRegion) return enter_unknown(entered_by(key, stack, call_site), {});
  if (region == kOutlined) return;
  record_enter(entered_by(key, stack, call_site), region);
}

[[gnu::noinline]] void leave_unrecorded(std::uintptr_t key, RegionId region, std::uintptr_t stack) {
  if (is_throttled(region)) return leave_throttled(key, stack);
  leave_unknown(left_by(key, stack));
}

[[gnu::noinline]] void leave_by_other_clock(std::uintptr_t key, std::uintptr_t stack) {
  record_leave(left_by(key, stack));
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// The stack pointer of the function that calls the hook.
#define TARRY_STACK reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa())

TARRY_HOOK void __cyg_profile_func_enter(void* function, void* behind_call) {
  const auto key = reinterpret_cast<std::uintptr_t>(function);
  const auto call_site = reinterpret_cast<std::uintptr_t>(behind_call);
  const std::uint32_t region = g_regions.find_at_once(key).value;  // a number stays in one register
  if (region < tarry::kFirstWideRegion && has_counter()) [[likely]] {
    Thread* const thread = t_thread;  // what stands in front of the time stamp is done while others wait for theirs
    return record_enter_at(thread, entered_by(key, TARRY_STACK, call_site), tarry::RegionId{region}, read_counter());
  }
  if (region == kFiltered.value) [[likely]]
    return;
  enter_otherwise(key, tarry::RegionId{region}, TARRY_STACK, call_site);
}

TARRY_HOOK void __cyg_profile_func_exit(void* function, void*) {
  const auto key = reinterpret_cast<std::uintptr_t>(function);
  const tarry::RegionId region = g_regions.find_at_once(key);
  if (is_recorded(region)) {
    if (!has_counter()) [[unlikely]]
      return leave_by_other_clock(key, TARRY_STACK);
    Thread* const thread = t_thread;
    return record_leave_at(thread, left_by(key, TARRY_STACK), read_counter());
  }
  if (region == kFiltered) [[likely]]
    return;
  leave_unrecorded(key, region, TARRY_STACK);
}
