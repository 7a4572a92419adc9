// driver.hpp -- runs mutated inputs one after the other under sanitizers; whatever goes wrong is said with its seed.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace tarry::fuzz {

using Random = std::mt19937;

/// Adds to what is known about the present case: which mutation, of what. Printed if the case fails, crashes or hangs.
void note(const std::string& text);

/// Runs `run_case(seed)` for the seeds FIRST to FIRST + COUNT - 1; a case returns what is wrong, empty if nothing is.
/// Ends at the first that is wrong, crashes, takes longer than a minute or asks for too much memory, with the line that
/// repeats it. Returns the exit status.
int run_seeds(const std::string& program, std::uint32_t first, std::uint32_t count,
              const std::function<std::string(std::uint32_t)>& run_case);

/// Changes `bytes` (not empty) in one way, and notes which: a bit, a byte, a stretch; cut, inserted, removed, swapped,
/// repeated.
void mutate_bytes(std::vector<std::uint8_t>& bytes, Random& random);

}  // namespace tarry::fuzz
