// ancestors.hpp -- the processes above this one: what a launcher's variables do not tell, its arguments may.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tarry {

/// Calls `look` with the arguments of each process above this one, the nearest first, until it returns a text. Returns
/// that text, or an empty one. A zero follows each argument. Looks at 32 processes at most, and at the first 4096 bytes
/// of their arguments. May run inside the measured program.
std::string find_in_ancestors(const std::function<std::string(std::string_view command)>& look);

}  // namespace tarry
