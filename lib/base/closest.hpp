// closest.hpp -- what somebody meant who mistyped a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// The name that takes the fewest insertions, deletions and replacements of characters to get from `text`, the first of
/// equal ones; empty if there are none. Time: product of the lengths, for each name.
std::string closest_name(std::string_view text, const std::vector<std::string>& names);

}  // namespace tarry
