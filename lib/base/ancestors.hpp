// ancestors.hpp -- the processes above this one: what a launcher does not say in variables, its own arguments may.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tarry {

/// Calls `look` with the arguments of each process above this one, the nearest first, each argument with a zero behind
/// it, until it returns something; returns that. Empty if it never does. Looks at 32 processes at most, and at the
/// first 4096 bytes of their arguments. May run inside the measured program.
std::string find_in_ancestors(const std::function<std::string(std::string_view command)>& look);

}  // namespace tarry
