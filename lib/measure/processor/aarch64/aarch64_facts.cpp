// aarch64_facts.cpp -- how fast the counter runs; stubs of the dynamic linker.
#include <algorithm>
#include <bit>

#include "measure/processor/processor.hpp"

namespace tarry::measure::processor {

std::int64_t g_about_a_millisecond = std::int64_t{1} << 14;  // of the slowest counter, until it is known

namespace {

__attribute__((constructor)) void find_about_a_millisecond() {
  std::uint64_t frequency;
  asm("mrs %0, cntfrq_el0" : "=r"(frequency));
  g_about_a_millisecond = static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(frequency / 1000, 1)));
}

// Instructions of a stub, apart from registers' contents. All use x16 and x17, as the standard tells.
bool is_of_stub(std::uint32_t code) {
  constexpr std::uint32_t kNop = 0xd503201f, kLandingPad = 0xd503245f, kCheckSignature = 0xd503219f;
  const bool is_address_of_page = (code & 0x9f00001f) == 0x90000010;  // adrp x16, PAGE
  const bool is_load = (code & 0xffc003ff) == 0xf9400211;             // ldr x17, [x16, #N]
  const bool is_sum = (code & 0xff8003ff) == 0x91000210;              // add x16, x16, #N
  return is_address_of_page || is_load || is_sum || code == kNop || code == kLandingPad || code == kCheckSignature;
}

constexpr std::uint32_t kJump = 0xd61f0220;  // br x17
constexpr std::uint32_t kPush = 0xa9bf7bf0;  // stp x16, x30, [sp, #-16]!
constexpr std::ptrdiff_t kLongest = 8;

// How many instructions of the page lie in front, or from there on.
std::ptrdiff_t in_front(const std::uint32_t* code) {
  return static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(code) % 4096 / sizeof *code);
}
std::ptrdiff_t from_there_on(const std::uint32_t* code) { return 4096 / std::ptrdiff_t{sizeof *code} - in_front(code); }

}  // namespace

bool has_steady_counter() { return true; }

// The first stub, which leads to the dynamic linker itself, pushes two registers.
StubFrame stub_at(const std::uint32_t* code) {
  const std::uint32_t* end = code;
  const std::uint32_t* const last = code + std::min(from_there_on(code), kLongest);
  if (end < last && *end == kPush) ++end;
  while (end < last && is_of_stub(*end)) ++end;
  if (end >= last || *end != kJump) return {};
  const std::uint32_t* begin = code;
  const std::uint32_t* const first = code - std::min(in_front(code), kLongest);
  while (begin > first && is_of_stub(begin[-1])) --begin;
  const bool is_pushed = begin > first && begin[-1] == kPush;
  return is_pushed ? StubFrame{.is_stub = true, .pushed = 16, .return_place = 8} : StubFrame{.is_stub = true};
}

}  // namespace tarry::measure::processor
