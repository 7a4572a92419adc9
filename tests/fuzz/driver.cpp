// driver.cpp -- runs mutated inputs one after the other under sanitizers; whatever goes wrong is said with its seed.
#include "driver.hpp"

#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>

// One allocation is at most a chunk's payload (64 MiB) and what decoding makes of it; nothing of ours needs more.
// Leaks are looked for elsewhere: it needs a right to trace that containers often lack.
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=512:hard_rss_limit_mb=1536:quarantine_size_mb=16:detect_leaks=0:handle_abort=1:"
         "allocator_may_return_null=0";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

namespace tarry::fuzz {
namespace {

constexpr unsigned kSecondsPerCase = 60;

std::string case_name;  // how to repeat the present case
std::string case_notes;

void print_case() {
  std::fprintf(stderr, "this was: %s (%s)\n", case_name.c_str(), case_notes.c_str());
  std::fflush(stderr);
}

void end_hanging_case(int) {
  std::fprintf(stderr, "no end after %u s\n", kSecondsPerCase);
  print_case();
  std::_Exit(1);
}

std::string run_guarded(std::uint32_t seed, const std::function<std::string(std::uint32_t)>& run_case) {
  try {
    return run_case(seed);
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

}  // namespace

void note(const std::string& text) { case_notes += (case_notes.empty() ? "" : ", ") + text; }

int run_seeds(const std::string& program, std::uint32_t first, std::uint32_t count,
              const std::function<std::string(std::uint32_t)>& run_case) {
  __sanitizer_set_death_callback(print_case);
  std::signal(SIGALRM, end_hanging_case);
  for (std::uint32_t seed = first; seed - first < count; ++seed) {
    case_name = program + " " + std::to_string(seed) + " 1";
    case_notes.clear();
    alarm(kSecondsPerCase);
    const std::string wrong = run_guarded(seed, run_case);
    alarm(0);
    if (wrong.empty()) continue;
    std::fprintf(stderr, "%s\n", wrong.c_str());
    print_case();
    return 1;
  }
  std::printf("%s: seeds %u to %u are sound\n", program.c_str(), first, first + count - 1);
  return 0;
}

void mutate_bytes(std::vector<std::uint8_t>& bytes, Random& random) {
  const std::size_t size = bytes.size(), at = random() % size;
  const std::size_t length = std::min<std::size_t>(1 + random() % 64, size - at);
  const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto there = here + static_cast<std::ptrdiff_t>(length);
  const std::string place = " at byte " + std::to_string(at);
  switch (random() % 10) {
    case 0: note("cut" + place), bytes.resize(at); break;
    case 1: note(std::to_string(length) + " removed" + place), bytes.erase(here, there); break;
    case 2: note("one inserted" + place), bytes.insert(here, static_cast<std::uint8_t>(random())); break;
    case 3: {
      note(std::to_string(length) + " repeated" + place);
      const std::vector<std::uint8_t> copy(here, there);
      bytes.insert(there, copy.begin(), copy.end());
      break;
    }
    case 4: note("filled" + place), std::fill(here, there, random() % 2 ? 0xff : 0); break;
    case 5: {
      const std::size_t other = random() % size, apart = at > other ? at - other : other - at;
      const std::size_t room = std::min({length, size - other, apart});
      note(std::to_string(room) + " swapped with " + std::to_string(other) + place);
      std::swap_ranges(here, here + static_cast<std::ptrdiff_t>(room),
                       bytes.begin() + static_cast<std::ptrdiff_t>(other));
      break;
    }
    case 6: note("changed" + place), *here = static_cast<std::uint8_t>(random()); break;
    default: note("a bit flipped" + place), *here ^= static_cast<std::uint8_t>(1u << random() % 8); break;
  }
}

}  // namespace tarry::fuzz
