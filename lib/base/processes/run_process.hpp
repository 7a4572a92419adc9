// run_process.hpp -- runs a command to its end.
#pragma once

#include <string>
#include <vector>

namespace tarry {

/// What a shell says of a command that cannot be started, and adds to the number of a signal.
inline constexpr int kExitNotExecutable = 126, kExitNotFound = 127, kExitSignal = 128;

/// Descriptors that take the place of a child's; -1: as here.
struct ChildStreams {
  int output = -1, error = -1;
};

/// The command's status, as a shell has it.
int run_process(const std::vector<std::string>& words, ChildStreams streams = {});

}  // namespace tarry
