// round_up.hpp -- sizes and addresses in whole units.
#pragma once

#include <cstddef>

namespace tarry {

/// `number`, rounded up to a multiple of `unit`, which is not 0.
constexpr std::size_t round_up(std::size_t number, std::size_t unit) { return (number + unit - 1) / unit * unit; }

}  // namespace tarry
