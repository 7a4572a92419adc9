// main.cpp -- tarry-measure: runs a command and records where its processes spend their time.
#include <iostream>

#include "analyse_run.hpp"
#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "configuration.hpp"
#include "defs/run_parameters.hpp"
#include "find_command.hpp"
#include "launch.hpp"
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
  cli.flag("-s,--summary", options.summarises, "record a call-path summary (default)");
  cli.flag("-t,--trace", options.traces, "record an event trace");
  cli.flag("--analyze", options.words.analyses,
           "record a trace; after the run, correct its clocks, analyse it and print the findings on stderr");
  cli.option("--html", options.words.page,
             "with --analyze: write a page of the run there, for the browser ('tarry explore')")
      .value_name("FILE");
  cli.option("-o,--output", options.archive, "archive to create; must not exist yet; %j: number of the batch job")
      .value_name("DIR");
  cli.option("--clock-every", options.clock_period,
             "compare the nodes' clocks every so often, like 10s, not only at start and end")
      .value_name("TIME");
  cli.option("--memory", options.memory, "event buffers of one process, like 200M").value_name("SIZE");
  cli.option("--when-full", options.when_full, "then: flush (write them out), stop or ring (keep the latest events)")
      .value_name("POLICY");
  cli.option("-f,--filter", options.filter, "rules on which functions are recorded").value_name("FILE");
  cli.flag("--io", options.records_files, "record what the program itself does with files, not through MPI");
  cli.option(
         "--callpaths", options.call_paths,
         "off: do not find the functions that lead to each recorded call, where nothing is instrumented (default on)")
      .value_name("on|off");
  cli.option("--inline", options.inlined,
             "off: call paths have no functions that the compiler has inlined (default on)")
      .value_name("on|off");
  cli.flag("--system-frames", options.keeps_system_frames,
           "call paths also have functions of MPI, the C library and the like");
  cli.option("--sample", options.sample_rate,
             "sample the stacks of all threads HZ times per second of their processor time (97), with call paths")
      .value_name("[HZ]");
  cli.flag("--sample-inside", options.samples_inside, "then: also inside recorded calls, with --system-frames");
  cli.option("--depth", options.depth, "functions nested deeper than this count as part of their caller (1000)")
      .value_name("N");
  cli.option("--metrics", options.metrics,
             "counters recorded with every enter and leave, like page-faults,ru_utime,PAPI_TOT_INS; 'help' lists them")
      .value_name("LIST");
  cli.option("--param", options.parameters,
             "a parameter of the experiment, noted in archive and reports; may be given several times")
      .one_at_a_time()
      .value_name("NAME=VALUE");
  cli.flag("--print-config", options.prints_configuration, "print all settings and where they come from");
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
