// properties.hpp -- looks up properties of a run by their keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "defs/definitions.hpp"

namespace tarry {

/// The first one with this key; empty if there is none.
std::string first_property(const Definitions& definitions, std::string_view key);

/// The same as a number; 0 if it is none.
std::uint64_t number_property(const Definitions& definitions, std::string_view key);

}  // namespace tarry
