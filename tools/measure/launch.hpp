// launch.hpp -- runs the measured command as given and waits for it, whatever signals arrive meanwhile.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "environment.hpp"

namespace tarry {

/// What became of the command.
struct LaunchOutcome {
  bool has_started = false;
  int status = 0;       // as a shell gives it: exit status, 128 + signal, 126 or 127 if it could not be started
  int signal = 0;       // that killed it
  std::string problem;  // why it could not be started
};

/// Runs `command` without a shell; PATH is searched. It has our standard streams. We pass on signals that ask to end
/// (SIGINT, SIGTERM, SIGHUP, SIGQUIT) or tell something (SIGUSR1, SIGUSR2), and survive them. The command gets each one
/// once, also where a terminal sent it to the whole process group. Launchers take a second one as an order to die at
/// once.
LaunchOutcome launch(const std::vector<std::string>& command, const Environment& environment);

/// Replaces this process by `command`, which finds signals as this process has found them. Returns why that failed.
LaunchOutcome become(const std::vector<std::string>& command, const Environment& environment);

/// Ends this process by the signal that has killed its command, for the launcher that watches it. No second core file
/// is left. Returns if the signal cannot end it.
void end_by(int signal);

}  // namespace tarry
