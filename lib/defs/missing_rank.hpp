// missing_rank.hpp -- the rank in the world of a process that wrote no definitions.
#pragma once

#include <cstdint>

namespace tarry {

inline constexpr std::uint32_t kMissingRank = 0xffffffffu;

}  // namespace tarry
