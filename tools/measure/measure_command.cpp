// measure_command.cpp -- runs one command and records it: alone, or as a process of a launcher's job.
#include "measure_command.hpp"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "analyse_run.hpp"
#include "archive_name.hpp"
#include "base/tool/cli.hpp"
#include "base/processes/launcher_job.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "defs/region_filter.hpp"
#include "environment.hpp"
#include "launch.hpp"
#include "metric_choice.hpp"
#include "plugin_trial.hpp"
#include "recording.hpp"
#include "wrapped_libraries.hpp"

namespace tarry {
namespace {

void warn_of_unreachable(const CommandLine& words, Forwarding forwarding) {
  if (forwarding == Forwarding::kNone)
    log_warning(
        "ranks on other nodes cannot be reached: besides -x, --tune, --am or --app the command has a launch "
        "agent, or the archive's path needs quoting");
  if (const std::string own = find_own_preload(words.command); !own.empty())
    log_warning("the command sets " + own + ": where that takes effect, nothing is recorded");
}

/// The recorder finds the filter from any working folder, and can read it.
Status set_filter(const Configuration& configuration) {
  const std::string& filter = configuration.value_of("TARRY_FILTER");
  if (filter.empty()) return {};
  const auto rules = RegionFilter::read(filter);
  if (!rules.ok()) return rules.error();
  ::setenv("TARRY_FILTER", std::filesystem::absolute(filter).c_str(), 1);
  return {};
}

/// The same of plug-ins that count.
Status set_plugins(const Configuration& configuration) {
  const std::string& plugins = configuration.value_of("TARRY_METRIC_PLUGINS");
  if (plugins.empty()) return {};
  TARRY_TRY_ASSIGN(found, find_plugins(plugins));
  ::setenv("TARRY_METRIC_PLUGINS", found.c_str(), 1);
  return {};
}

Result<Recording> start_recording(const Configuration& configuration, const RunFacts& facts,
                                  const std::optional<LauncherJob>& job) {
  const std::string named = configuration.is_set("TARRY_ARCHIVE") ? configuration.value_of("TARRY_ARCHIVE") : "";
  TARRY_TRY_ASSIGN(archive, expand_archive_name(named, facts.environment));
  return job ? Recording::join(archive, facts, *job) : Recording::start(archive, facts);
}

// Where only a part of Tarry is built, nobody misses the library who does not ask for it.
Status hear_annotations(Environment& environment, const std::string& preload_library,
                        const Configuration& configuration, const std::vector<std::string>& command) {
  const std::string& interfaces = configuration.value_of("TARRY_ANNOTATIONS");
  Result<std::string> library = find_annotations_library(preload_library);
  if (interfaces == "none" || (!library.ok() && !configuration.is_set("TARRY_ANNOTATIONS"))) return {};
  if (!library.ok()) return library.error();
  for (const std::string& name : add_annotations_library(environment, *library, interfaces, command))
    log_warning("annotations are not recorded where " + name + " names the tool: there can be one, and yours stays");
  return preload_for_annotations(environment, *library, interfaces);
}

// In front of the recorder, which looks for what is behind itself.
Status wrap_functions(Environment& environment, const std::string& preload_library,
                      const Configuration& configuration) {
  TARRY_TRY_ASSIGN(libraries, find_wrapped_libraries(configuration.value_of("TARRY_WRAP"), preload_library));
  TARRY_TRY_ASSIGN(made, make_header_libraries(configuration.value_of("TARRY_WRAP_HEADER"), preload_library));
  for (const auto& list : {libraries, made})
    for (const std::string& library : list) TARRY_TRY(preload(environment, library));
  return {};
}

Result<Environment> recorded_environment(const Configuration& configuration, const std::vector<std::string>& command) {
  TARRY_TRY_ASSIGN(library, find_preload_library());
  Environment environment = current_environment();
  if (needs_heap_library(configuration.value_of("TARRY_METRICS"))) {
    TARRY_TRY_ASSIGN(heap_library, find_heap_library(library));
    TARRY_TRY(preload(environment, heap_library));
  }
  if (configuration.value_of("TARRY_IO") == "1") {
    TARRY_TRY_ASSIGN(file_library, find_file_library(library));
    TARRY_TRY(preload(environment, file_library));
  }
  if (configuration.value_of("TARRY_OPENCL") == "1") {
    TARRY_TRY_ASSIGN(opencl_library, find_opencl_library(library));
    add_opencl_layer(environment, opencl_library);
  }
  if (configuration.value_of("TARRY_CUDA") == "1") {
    TARRY_TRY_ASSIGN(cuda_library, find_cuda_library(library));
    if (!add_cuda_library(environment, cuda_library))
      log_warning("CUDA is not recorded: CUDA_INJECTION64_PATH names another tool, and there can be one");
  }
  TARRY_TRY(hear_annotations(environment, library, configuration, command));
  TARRY_TRY(preload(environment, library));
  TARRY_TRY(wrap_functions(environment, library, configuration));
  return environment;
}

// Without its id the processes would take each other's archive for that of another run.
int refuse_unknown_job(const LauncherJob& job) {
  if (job.rank == 0)
    log_error({"the launcher", "does not tell its processes which job they belong to",
               "put 'tarry measure' in front of the launcher"});
  return kExitUsage;
}

// Whatever becomes of the archive, the exit status is that of the command.
void finish(Recording& recording, int exit_status, const CommandLine& words) {
  try {
    const auto recorded = recording.finish(exit_status);
    if (!recorded) return;
    if (words.analyses && recorded->has_trace) analyse_run(recording.name(), words.page, current_environment());
    else log_info(next_line(recording.name(), *recorded));
  } catch (...) {
    log_error(error_of(std::current_exception()));
  }
}

// Runs the command, which records into the archive. An archive whose command was not started does not stay.
LaunchOutcome launch_recorded(const CommandLine& words, Recording& recording, Environment environment,
                              const LauncherJob* shared_job) {
  try {
    set_variable(environment, "TARRY_ARCHIVE", recording.absolute_path());
    set_variable(environment, measure::kParentVariable, std::to_string(::getpid()));
    if (shared_job) set_variable(environment, measure::kJobVariable, shared_job->id);
    else warn_of_unreachable(words, forward_to_nodes(environment, words.command));
    return launch(words.command, environment);
  } catch (...) {
    recording.abandon(kExitFailed);
    throw;
  }
}

}  // namespace

std::optional<int> run_if_recorded_already(const CommandLine& words) {
  const auto job = find_launcher_job();
  if (!job || value_of(current_environment(), measure::kParentVariable).empty()) return std::nullopt;
  if (job->rank == 0)
    log_warning("this job is recorded already, by the 'tarry measure' that has started it, into " +
                value_of(current_environment(), "TARRY_ARCHIVE") + "; this 'tarry measure' only runs its command");
  const LaunchOutcome outcome = become(words.command, current_environment());
  log_error({words.command[0], outcome.problem, "nothing was run"});
  return outcome.status;
}

Result<int> measure_command(const CommandLine& words, const Configuration& configuration,
                            const measure::Settings& settings) {
  const auto job = find_launcher_job();
  const bool is_shared = job && job->size > 1;
  if (is_shared && job->id.empty()) return refuse_unknown_job(*job);
  TARRY_TRY(set_filter(configuration));
  TARRY_TRY(set_plugins(configuration));
  const RunFacts facts{words.command, words.own, settings, current_environment()};
  TARRY_TRY_ASSIGN(environment, recorded_environment(configuration, words.command));
  TARRY_TRY_ASSIGN(recording, start_recording(configuration, facts, is_shared ? job : std::nullopt));
  const LaunchOutcome outcome = launch_recorded(words, recording, std::move(environment), is_shared ? &*job : nullptr);
  if (outcome.has_started) {
    set_failure_status(outcome.status);
    finish(recording, outcome.status, words);
  } else {
    recording.abandon(outcome.status);
    log_error({words.command[0], outcome.problem, "nothing was run or recorded"});
  }
  if (outcome.signal && job) end_by(outcome.signal);
  return outcome.status;
}

}  // namespace tarry
