// term_families.hpp -- which products of parameters the terms of a model have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tarry {

/// A product of parameters: bit k is set if parameter k is a factor.
using ParameterSet = std::uint8_t;

/// The sets of a model's terms. {ab}, {a, b}, {a, ab}, {b, ab} for two parameters.
using TermFamily = std::vector<ParameterSet>;

/// All families of at most `parameters` different terms in which each of the parameters occurs; the fewest terms first.
std::vector<TermFamily> covering_families(std::size_t parameters);

}  // namespace tarry
