// pomp_regions.cpp -- regions that a program marks with "#pragma pomp inst" or "!POMP$ INST", whose source OPARI2 has
// instrumented. See docs/INSTRUMENTING.md.
#include <atomic>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "measure/core/pomp_text.hpp"

// The functions of tarry/user.h are declared for programs that are instrumented.
#define TARRY
#include "measure/user/tarry/user.h"

#define TARRY_POMP_USER extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

// Memory of its own: a signal handler may meet a region for the first time while the program allocates.
constexpr std::size_t kPompBytes = 1 << 20;
alignas(tarry_region) char g_pomp_memory[kPompBytes];
std::atomic<std::size_t> g_pomp_used{0};

// Those for which this memory does not suffice.
constexpr tarry_region kFurtherPompRegions = {"further regions of pomp", "", 0, TARRY_KIND_REGION};

char* take_pomp_memory(std::size_t bytes) {
  bytes = (bytes + alignof(tarry_region) - 1) / alignof(tarry_region) * alignof(tarry_region);
  if (bytes > kPompBytes - g_pomp_used.load(std::memory_order_relaxed)) return nullptr;
  const std::size_t at = g_pomp_used.fetch_add(bytes, std::memory_order_relaxed);
  return at + bytes <= kPompBytes ? g_pomp_memory + at : nullptr;
}

const char* copy_pomp_text(char*& to, std::string_view text) {
  char* const copy = to;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  to += text.size() + 1;
  return copy;
}

const tarry_region* make_pomp_region(std::string_view text) {
  const std::string_view name = pomp_value(text, "userRegionName");
  const PompStart start = pomp_start(text);
  char* memory = take_pomp_memory(sizeof(tarry_region) + name.size() + start.file.size() + 2);
  if (!memory) return &kFurtherPompRegions;
  auto* region = reinterpret_cast<tarry_region*>(memory);
  memory += sizeof(tarry_region);
  region->name = copy_pomp_text(memory, name);
  region->file = copy_pomp_text(memory, start.file);
  region->line = start.line;
  region->kind = TARRY_KIND_REGION;
  return region;
}

// Two threads may make a region at the same time: the first one counts.
const tarry_region* pomp_region_of(void** handle, std::string_view text) {
  void* known = __atomic_load_n(handle, __ATOMIC_ACQUIRE);
  if (known) [[likely]]
    return static_cast<const tarry_region*>(known);
  const tarry_region* made = make_pomp_region(text);
  if (__atomic_compare_exchange_n(handle, &known, const_cast<tarry_region*>(made), false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return made;
  return static_cast<const tarry_region*>(known);
}

void end_pomp_region(void** handle) {
  const void* known = __atomic_load_n(handle, __ATOMIC_ACQUIRE);
  if (known) tarry_region_end(static_cast<const tarry_region*>(known)->name);
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// Each entry point comes twice: for C, and for Fortran, which passes the length of a text behind all the rest.
TARRY_POMP_USER void POMP2_USER_Assign_handle(void** handle, const char* text) { pomp_region_of(handle, text); }
TARRY_POMP_USER void pomp2_user_assign_handle_(void** handle, const char* text, std::size_t length) {
  pomp_region_of(handle, {text, length});
}

TARRY_POMP_USER void POMP2_Begin(void** handle, const char* text) { tarry_region_begin(pomp_region_of(handle, text)); }
TARRY_POMP_USER void pomp2_begin_(void** handle, const char* text, std::size_t length) {
  tarry_region_begin(pomp_region_of(handle, {text, length}));
}
TARRY_POMP_USER void POMP2_End(void** handle) { end_pomp_region(handle); }
TARRY_POMP_USER void pomp2_end_(void** handle) { end_pomp_region(handle); }

// The recording begins and ends by itself.
TARRY_POMP_USER void POMP2_Init() {}
TARRY_POMP_USER void pomp2_init_() {}
TARRY_POMP_USER void POMP2_Finalize() {}
TARRY_POMP_USER void pomp2_finalize_() {}

TARRY_POMP_USER void POMP2_Off() { tarry_recording_off(); }
TARRY_POMP_USER void pomp2_off_() { tarry_recording_off(); }
TARRY_POMP_USER void POMP2_On() { tarry_recording_on(); }
TARRY_POMP_USER void pomp2_on_() { tarry_recording_on(); }
