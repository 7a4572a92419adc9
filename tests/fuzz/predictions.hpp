// predictions.hpp -- what `tarry predict` makes of a damaged trace, on a machine that a seed chooses.
#pragma once

#include <cstdint>
#include <string>

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry::fuzz {

/// As `tarry predict INPUT` does, with other options for each seed. Returns what is wrong, empty if nothing is: an
/// error is one line, and a report that was written can be read.
std::string predict_file(const std::string& input, std::uint32_t seed);

/// The same in memory: times are finite, and the predicted run can be analysed.
std::string predict_in_memory(SyntheticTrace& trace, std::uint32_t seed);

}  // namespace tarry::fuzz
