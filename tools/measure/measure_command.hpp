// measure_command.hpp -- runs one command and records it: alone, or as a process of a launcher's job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "configuration.hpp"
#include "measure/core/settings.hpp"

namespace tarry {

/// The words that `tarry measure` was started with.
struct CommandLine {
  std::vector<std::string> command;  // what is to be run
  std::vector<std::string> own;      // all of them, with `command`
  bool analyses = false;             // when the command has ended: from the recording to the findings
  std::string page;                  // then also the page of 'tarry explore'; empty: none
};

/// In a job that a `tarry measure` outside of the launcher records, each process is only its command. This process
/// becomes the command, before it changes anything in its environment. Returns the status to end with where that fails,
/// and none elsewhere.
std::optional<int> run_if_recorded_already(const CommandLine& words);

/// Runs and records; the status to end with. Inside a launcher's job, of which there may be several of us, this process
/// ends as its command does, by a signal too.
Result<int> measure_command(const CommandLine& words, const Configuration& configuration,
                            const measure::Settings& settings);

}  // namespace tarry
