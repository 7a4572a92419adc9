// main.cpp -- tarry-measure: runs a command and records where its processes spend their time.
#include <iostream>

#include "analyse_run.hpp"
#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "configuration.hpp"
#include "defs/run_parameters.hpp"
#include "find_command.hpp"
#include "measure_command.hpp"
#include "measure_options.hpp"
#include "metric_choice.hpp"
#include "program_name.hpp"

namespace tarry {
namespace {

constexpr char kExamples[] =
    "examples:\n"
    "  tarry measure -- mpirun -np 4 ./app            a call-path summary, in tarry-app-1/\n"
    "  tarry measure -t -o run -- srun -n 64 ./app    an event trace, for 'tarry replay run'\n"
    "  tarry measure -s -t -- mpirun -np 4 ./app      both\n"
    "  tarry measure --analyze -- mpirun -np 4 ./app  a trace, its analysis and the findings\n"
    "  tarry measure --analyze --html run.html -- mpirun -np 4 ./app    and a page for the browser\n"
    "  tarry measure -f rules.filter -- ./app         an instrumented program, without some functions\n"
    "  tarry measure --metrics page-faults,task-clock -- mpirun -np 4 ./app    counters for every call path\n"
    "  tarry measure --sample -- ./app                where a program computes, also without MPI\n"
    "  mpirun -np 4 tarry measure -t -o run ./app     the same, inside of the launcher\n"
    "  tarry measure --print-config                   all settings and where they come from\n"
    "\n"
    "The command runs as given; its exit status is passed on. Settings: options, TARRY_* variables, tarry.conf.\n"
    "reads: tarry.conf, or else ~/.config/tarry/tarry.conf; writes: the archive, a new folder\n"
    "see also: tarry replay, tarry report, tarry archive";

Result<int> run(const MeasureOptions& options) {
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
  if (!options.words.page.empty() && !options.words.analyses) {
    log_error({"usage", "--html needs --analyze", "try 'tarry-measure --help'"});
    return kExitUsage;
  }
  if (options.words.command.empty()) {
    log_error({"usage", "there is no command to run", "tarry measure [OPTIONS] -- COMMAND"});
    return kExitUsage;
  }
  if (!options.words.page.empty()) TARRY_TRY(check_page(options.words.page));
  return measure_command(options.words, configuration, settings.value());
}

}  // namespace
}  // namespace tarry

static int measure_main(int argc, char** argv) {
  tarry::Cli cli("measure",
                 "runs a command and records where its processes spend their time:\n"
                 "  tarry-measure [OPTIONS] [--] COMMAND [ARGUMENT...]",
                 tarry::kExamples);
  tarry::MeasureOptions options;
  tarry::add_measure_options(cli, options);
  std::vector<std::string> words(argv, argv + argc);
  const auto takes_value = [&cli](const std::string& name) { return cli.takes_value(name); };
  tarry::fill_in_number(words, "--sample", tarry::kUsualSampleRate, takes_value);
  std::vector<char*> own;
  for (std::string& word : words) own.push_back(word.data());
  options.words.own = words;
  const auto place = tarry::find_command(options.words.own, takes_value, tarry::is_program);
  const std::size_t own_end = place.ok() ? place.value().own_end : 1;
  if (const auto status = cli.parse(static_cast<int>(own_end), own.data())) return *status;
  const tarry::Status parameters = tarry::check_parameters(options.parameters);
  if (!place.ok() || !parameters.ok()) {
    tarry::log_error(place.ok() ? parameters.error() : place.error());
    return tarry::kExitUsage;
  }
  options.words.command.assign(argv + place.value().begin, argv + argc);
  return cli.finish(tarry::run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("measure", argc, argv, measure_main); }
