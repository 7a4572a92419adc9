// main.cpp -- tarry-measure: runs a command and records where its processes spend their time.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "base/cli.hpp"
#include "base/log.hpp"
#include "configuration.hpp"
#include "defs/region_filter.hpp"
#include "environment.hpp"
#include "launch.hpp"
#include "metric_choice.hpp"
#include "recording.hpp"

namespace tarry {
namespace {

constexpr char kExamples[] =
    "examples:\n"
    "  tarry measure -- mpirun -np 4 ./app            a call-path summary, in tarry-app-1/\n"
    "  tarry measure -t -o run -- srun -n 64 ./app    an event trace, for 'tarry replay run'\n"
    "  tarry measure -s -t -- mpirun -np 4 ./app      both\n"
    "  tarry measure -f rules.filter -- ./app         an instrumented program, without some functions\n"
    "  tarry measure --metrics page-faults,task-clock -- mpirun -np 4 ./app    counters for every call path\n"
    "  tarry measure --print-config                   all settings and where they come from\n"
    "\n"
    "The command runs as given; its exit status is passed on. Settings: options, TARRY_* variables, tarry.conf.\n"
    "reads: tarry.conf, or else ~/.config/tarry/tarry.conf; writes: the archive, a new folder\n"
    "see also: tarry replay, tarry report, tarry archive";

struct Options {
  bool summarises = false;
  bool traces = false;
  bool prints_configuration = false;
  std::string archive;
  std::string memory;
  std::string filter;
  std::string metrics;
  std::string when_full;
  std::string clock_period;
  std::vector<std::string> own_command;
  std::vector<std::string> command;
};

Result<Configuration> configure(const Options& options) {
  TARRY_TRY_ASSIGN(configuration, Configuration::load());
  if (options.summarises || options.traces) {
    configuration.set_option("TARRY_TRACE", options.traces ? "1" : "0");
    configuration.set_option("TARRY_SUMMARY", options.summarises ? "1" : "0");
  }
  if (!options.archive.empty()) configuration.set_option("TARRY_ARCHIVE", options.archive, "-o");
  if (!options.memory.empty()) configuration.set_option("TARRY_MEMORY", options.memory, "--memory");
  if (!options.when_full.empty()) configuration.set_option("TARRY_WHEN_FULL", options.when_full, "--when-full");
  if (!options.filter.empty()) configuration.set_option("TARRY_FILTER", options.filter, "-f");
  if (!options.metrics.empty()) configuration.set_option("TARRY_METRICS", options.metrics, "--metrics");
  if (!options.clock_period.empty()) configuration.set_option("TARRY_CLOCK_EVERY", options.clock_period, "--clock-every");
  return configuration;
}

void warn_of_unreachable(const Options& options, Forwarding forwarding) {
  if (forwarding == Forwarding::kNone)
    log_warning("ranks on other nodes cannot be reached: the command has a launch agent of its own, or the archive's "
                "path needs quoting, and it uses -x, --tune, --am or --app");
  if (const std::string own = find_own_preload(options.command); !own.empty())
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

/// Runs and records; the status to end with.
Result<int> measure_command(const Options& options, const Configuration& configuration,
                            const measure::Settings& settings) {
  TARRY_TRY(set_filter(configuration));
  const RunFacts facts{options.command, options.own_command, settings, current_environment()};
  TARRY_TRY_ASSIGN(library, find_preload_library());
  Environment environment = current_environment();
  if (needs_heap_library(configuration.value_of("TARRY_METRICS"))) {
    TARRY_TRY_ASSIGN(heap_library, find_heap_library(library));
    TARRY_TRY(preload(environment, heap_library));
  }
  TARRY_TRY(preload(environment, library));
  const std::string archive = configuration.is_set("TARRY_ARCHIVE") ? configuration.value_of("TARRY_ARCHIVE") : "";
  TARRY_TRY_ASSIGN(recording, Recording::start(archive, facts));
  set_variable(environment, "TARRY_ARCHIVE", recording.absolute_path());
  set_variable(environment, measure::kParentVariable, std::to_string(::getpid()));
  warn_of_unreachable(options, forward_to_nodes(environment, options.command));

  const LaunchOutcome outcome = launch(options.command, environment);
  if (outcome.has_started) {
    recording.finish(outcome.status);
  } else {
    recording.abandon();
    log_error({options.command[0], outcome.problem, "nothing was run or recorded"});
  }
  return outcome.status;
}

Result<int> run(const Options& options) {
  if (options.metrics == "help") {
    std::cout << metrics_help();
    return kExitDone;
  }
  TARRY_TRY_ASSIGN(configuration, configure(options));
  const auto settings = configuration.apply();
  if (!settings.ok()) {
    log_error(settings.error());
    return kExitUsage;
  }
  if (const Status checked = check_metrics(configuration.value_of("TARRY_METRICS")); !checked.ok()) {
    log_error(checked.error());
    return kExitUsage;
  }
  if (options.prints_configuration) {
    std::cout << configuration.text(settings.value());
    return kExitDone;
  }
  if (options.command.empty()) {
    log_error({"usage", "there is no command to run", "tarry measure [OPTIONS] -- COMMAND"});
    return kExitUsage;
  }
  return measure_command(options, configuration, settings.value());
}

}  // namespace
}  // namespace tarry

int main(int argc, char** argv) {
  tarry::remember_signals();
  tarry::Cli cli("measure",
                 "runs a command and records where its processes spend their time:\n"
                 "  tarry-measure [OPTIONS] -- COMMAND [ARGUMENT...]",
                 tarry::kExamples);
  tarry::Options options;
  cli.app().add_flag("-s,--summary", options.summarises, "record a call-path summary (default)");
  cli.app().add_flag("-t,--trace", options.traces, "record an event trace");
  cli.app().add_option("-o,--output", options.archive, "archive to create; must not exist yet")->type_name("DIR");
  cli.app().add_option("--clock-every", options.clock_period, "compare the nodes' clocks every so often, like 10s, not only at start and end")
      ->type_name("TIME");
  cli.app().add_option("--memory", options.memory, "event buffers of one process, like 200M")->type_name("SIZE");
  cli.app()
      .add_option("--when-full", options.when_full, "then: flush (write them out), stop or ring (keep the latest events)")
      ->type_name("POLICY");
  cli.app().add_option("-f,--filter", options.filter, "rules on which functions are recorded")->type_name("FILE");
  cli.app()
      .add_option("--metrics", options.metrics, "counters recorded with every enter and leave, like page-faults,ru_utime,PAPI_TOT_INS; 'help' lists them")
      ->type_name("LIST");
  cli.app().add_flag("--print-config", options.prints_configuration, "print all settings and where they come from");
  // Everything behind the first `--` belongs to the command, whatever it looks like.
  int own = 1;
  while (own < argc && std::string(argv[own]) != "--") ++own;
  options.own_command.assign(argv, argv + argc);
  if (own < argc) options.command.assign(argv + own + 1, argv + argc);
  if (const auto status = cli.parse(own, argv)) return *status;
  return cli.finish(tarry::run(options));
}
