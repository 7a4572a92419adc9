// function_hooks.cpp -- the entry points that compilers call under -finstrument-functions.
//
// The first instructions (9 of them) decide about filtered functions, which are to cost as little as an empty hook. A
// jump leads to the rest. Where nothing is recorded, all functions count as filtered. Instructions of recorded
// events: see the head of recorder.hpp.
#include "measure/compiler/function_recorder.hpp"

// The instructions that decide fit into one line of the cache.
#define TARRY_HOOK extern "C" __attribute__((visibility("default"), aligned(64)))

namespace tarry::measure {
namespace {

// The functions below are jumped to from the hook: their caller, too, is the instrumented function, at its stack
// pointer.
std::uintptr_t stack_of_caller(void* canonical_frame) { return reinterpret_cast<std::uintptr_t>(canonical_frame); }

[[gnu::noinline]] void enter_known(std::uintptr_t key, std::uint32_t region) {
  record_enter({.frame = key, .key = key, .stack = stack_of_caller(__builtin_dwarf_cfa()), .is_user = false}, region);
}

[[gnu::noinline]] void leave_known(std::uintptr_t key) {
  record_leave({.frame = key, .stack = stack_of_caller(__builtin_dwarf_cfa()), .is_user = false});
}

[[gnu::noinline]] void enter_elsewhere(std::uintptr_t key) {
  enter_unknown({.frame = key, .key = key, .stack = stack_of_caller(__builtin_dwarf_cfa()), .is_user = false}, {});
}

[[gnu::noinline]] void leave_elsewhere(std::uintptr_t key) {
  leave_unknown({.frame = key, .stack = stack_of_caller(__builtin_dwarf_cfa()), .is_user = false});
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_HOOK void __cyg_profile_func_enter(void* function, void*) {
  const auto key = reinterpret_cast<std::uintptr_t>(function);
  const std::uint32_t region = g_regions.find_at_once(key);
  if (region == kFiltered) [[likely]]
    return;
  if (region == kUnknownRegion) [[unlikely]]
    return enter_elsewhere(key);
  enter_known(key, region);
}

TARRY_HOOK void __cyg_profile_func_exit(void* function, void*) {
  const auto key = reinterpret_cast<std::uintptr_t>(function);
  const std::uint32_t region = g_regions.find_at_once(key);
  if (region == kFiltered) [[likely]]
    return;
  if (region == kUnknownRegion) [[unlikely]]
    return leave_elsewhere(key);
  leave_known(key);
}
