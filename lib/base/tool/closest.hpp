// closest.hpp -- what somebody meant who mistyped a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// The name that takes the fewest insertions, deletions and replacements of characters to get from `text`. Of equal
/// ones it is the first; empty if `names` is. Time: product of the lengths, for each name.
std::string closest_name(std::string_view text, const std::vector<std::string>& names);

}  // namespace tarry
