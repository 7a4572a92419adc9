// obstacle.hpp -- why the recorder does not get into a command, as far as the command and its files tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// The first obstacle in a command of which nothing was recorded: a static program, one of 32 bits, a wrapper that
/// removes our variables. Or OpenMP of libgomp without MPI. The error's parts make a sentence: "./app" "is linked
/// statically ..." "link it dynamically". None if nothing is found: what a script starts is not known.
std::optional<Error> find_obstacle(const std::vector<std::string>& command);

}  // namespace tarry
