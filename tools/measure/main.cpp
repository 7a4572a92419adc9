// main.cpp -- tarry-measure: runs a command and records where its processes spend their time.
#include <iostream>

#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "configuration.hpp"
#include "find_command.hpp"
#include "launch.hpp"
#include "measure_command.hpp"
#include "metric_choice.hpp"
#include "program_name.hpp"

namespace tarry {
namespace {

constexpr char kExamples[] =
    "examples:\n"
    "  tarry measure -- mpirun -np 4 ./app            a call-path summary, in tarry-app-1/\n"
    "  tarry measure -t -o run -- srun -n 64 ./app    an event trace, for 'tarry replay run'\n"
    "  tarry measure -s -t -- mpirun -np 4 ./app      both\n"
    "  tarry measure -f rules.filter -- ./app         an instrumented program, without some functions\n"
    "  tarry measure --metrics page-faults,task-clock -- mpirun -np 4 ./app    counters for every call path\n"
    "  mpirun -np 4 tarry measure -t -o run ./app     the same, inside of the launcher\n"
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
  CommandLine words;
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

Result<int> run(const Options& options) {
  if (options.metrics == "help") {
    std::cout << metrics_help();
    return kExitDone;
  }
  const bool has_command = !options.words.command.empty() && !options.prints_configuration;
  if (has_command)
    if (const auto status = run_if_recorded_already(options.words)) return *status;
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
  if (options.words.command.empty()) {
    log_error({"usage", "there is no command to run", "tarry measure [OPTIONS] -- COMMAND"});
    return kExitUsage;
  }
  return measure_command(options.words, configuration, settings.value());
}

}  // namespace
}  // namespace tarry

static int measure_main(int argc, char** argv) {
  tarry::Cli cli("measure",
                 "runs a command and records where its processes spend their time:\n"
                 "  tarry-measure [OPTIONS] [--] COMMAND [ARGUMENT...]",
                 tarry::kExamples);
  tarry::Options options;
  cli.app().add_flag("-s,--summary", options.summarises, "record a call-path summary (default)");
  cli.app().add_flag("-t,--trace", options.traces, "record an event trace");
  cli.app()
      .add_option("-o,--output", options.archive, "archive to create; must not exist yet; %j: number of the batch job")
      ->type_name("DIR");
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
  options.words.own.assign(argv, argv + argc);
  const auto takes_value = [&cli](const std::string& name) {
    const CLI::Option* option = cli.app().get_option_no_throw(name);
    return option && option->get_expected_min() > 0;
  };
  const auto place = tarry::find_command(options.words.own, takes_value, tarry::is_program);
  const std::size_t own_end = place.ok() ? place.value().own_end : 1;
  if (const auto status = cli.parse(static_cast<int>(own_end), argv)) return *status;
  if (!place.ok()) {
    tarry::log_error(place.error());
    return tarry::kExitUsage;
  }
  options.words.command.assign(argv + place.value().begin, argv + argc);
  return cli.finish(tarry::run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("measure", argc, argv, measure_main); }
