// measure_options.cpp -- what the command line of tarry measure gives.
#include "measure_options.hpp"

#include <algorithm>

#include "defs/run_parameters.hpp"
#include "metric_choice.hpp"

namespace tarry {
namespace {

// Those of the command line win over those of the environment or of a file.
Result<std::string> with_parameters(const std::string& known, const std::vector<std::string>& given) {
  TARRY_TRY_ASSIGN(parameters, parse_parameters(known));
  for (const std::string& text : given) {
    TARRY_TRY_ASSIGN(parameter, parse_parameter(text));
    std::erase_if(parameters, [&](const auto& other) { return other.first == parameter.first; });
    parameters.push_back(std::move(parameter));
  }
  return join_parameters(parameters);
}

// As the variables of options have them that may be given several times.
std::string one_after_another(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ";") + value;
  return text;
}

// What becomes of the recording.
void add_outcome_options(CliOptions& cli, MeasureOptions& options) {
  cli.flag("-s,--summary", options.summarises, "record a call-path summary (default)");
  cli.flag("-t,--trace", options.traces, "record an event trace");
  cli.flag("--analyze", options.words.analyses,
           "record a trace; after the run, correct its clocks, analyse it and print the findings on stderr");
  cli.option("--html", options.words.page,
             "with --analyze: write a page of the run there, for the browser ('tarry explore')")
      .value_name("FILE");
  cli.option("-o,--output", options.archive, "archive to create; must not exist yet; %j: number of the batch job")
      .value_name("DIR");
}

void add_event_options(CliOptions& cli, MeasureOptions& options) {
  cli.option("--clock-every", options.clock_period,
             "compare the nodes' clocks every so often, like 10s, not only at start and end")
      .value_name("TIME");
  cli.option("--memory", options.memory, "event buffers of one process, like 200M").value_name("SIZE");
  cli.option("--when-full", options.when_full, "then: flush (write them out), stop or ring (keep the latest events)")
      .value_name("POLICY");
  cli.option("-f,--filter", options.filter, "rules on which functions are recorded").value_name("FILE");
  cli.option(
         "--events", options.events,
         "groups of calls to record, like mpi:coll,p2p,openmp:teams,threads:create,files:data; 'all' is the default")
      .value_name("LIST");
  cli.option("--throttle", options.throttle,
             "count short functions and do not record them, from so many visits on that take less than TIME on average "
             "(100000:1us); off: record all")
      .value_name("VISITS[:TIME]|off");
  cli.option("--pcontrol", options.pcontrol, "off: MPI_Pcontrol does not switch the recording off and on (default on)")
      .value_name("on|off");
  cli.flag("--io", options.records_files, "record what the program itself does with files, not through MPI");
  cli.flag("--opencl", options.records_opencl,
           "record calls of OpenCL, also of programs without MPI; with -t what its queues execute, too");
  cli.flag("--cuda", options.records_cuda,
           "record calls of CUDA, also of programs without MPI; with -t what its streams execute, too");
  cli.option("--wrap", options.wrapped, "record the program's calls of functions of blas,lapack,fftw,hdf5,netcdf")
      .value_name("LIST");
  cli.option("--wrap-header", options.wrapped_headers,
             "the same of functions that a C header declares, of a library if one is named; may be given several times")
      .one_at_a_time()
      .value_name("FILE[,LIB]");
  cli.flag("--wrap-nested", options.wraps_nested, "then: also calls inside of such calls");
  cli.option("--annotations", options.annotations,
             "interfaces whose annotations, where the program has them, become user regions "
             "(nvtx,kokkos,itt,caliper,roctx,likwid), or none; also kokkos-old, perfstubs")
      .value_name("LIST");
}

void add_call_path_options(CliOptions& cli, MeasureOptions& options) {
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
}

}  // namespace

void add_measure_options(CliOptions& cli, MeasureOptions& options) {
  add_outcome_options(cli, options);
  add_event_options(cli, options);
  add_call_path_options(cli, options);
  cli.option("--metrics", options.metrics,
             "counters recorded with every enter and leave, like page-faults,ru_utime,PAPI_TOT_INS; 'help' lists them")
      .value_name("LIST");
  cli.option("--metric-plugin", options.metric_plugins,
             "counters of a shared library: a path, or energy, or network; may be given several times")
      .one_at_a_time()
      .value_name("LIB[:ARGS]");
  cli.option("--param", options.parameters,
             "a parameter of the experiment, noted in archive and reports; may be given several times")
      .one_at_a_time()
      .value_name("NAME=VALUE");
  cli.flag("--print-config", options.prints_configuration, "print all settings and where they come from");
}

Result<Configuration> configure(const MeasureOptions& options) {
  TARRY_TRY_ASSIGN(configuration, Configuration::load());
  const bool traces = options.traces || options.words.analyses;
  if (options.summarises || traces) {
    configuration.set_option("TARRY_TRACE", traces ? "1" : "0");
    configuration.set_option("TARRY_SUMMARY", options.summarises ? "1" : "0");
  }
  if (!options.archive.empty()) configuration.set_option("TARRY_ARCHIVE", options.archive, "-o");
  if (!options.memory.empty()) configuration.set_option("TARRY_MEMORY", options.memory, "--memory");
  if (!options.when_full.empty()) configuration.set_option("TARRY_WHEN_FULL", options.when_full, "--when-full");
  if (!options.filter.empty()) configuration.set_option("TARRY_FILTER", options.filter, "-f");
  if (!options.events.empty()) configuration.set_option("TARRY_EVENTS", options.events, "--events");
  if (!options.throttle.empty()) configuration.set_option("TARRY_THROTTLE", options.throttle, "--throttle");
  if (!options.pcontrol.empty()) configuration.set_option("TARRY_PCONTROL", options.pcontrol, "--pcontrol");
  if (!options.metrics.empty()) configuration.set_option("TARRY_METRICS", options.metrics, "--metrics");
  if (!options.metric_plugins.empty())
    configuration.set_option("TARRY_METRIC_PLUGINS", one_after_another(options.metric_plugins), "--metric-plugin");
  if (needs_summary(configuration.value_of("TARRY_METRICS")))
    configuration.set_option("TARRY_SUMMARY", "1", "--metrics");
  if (!options.clock_period.empty())
    configuration.set_option("TARRY_CLOCK_EVERY", options.clock_period, "--clock-every");
  if (options.records_files) configuration.set_option("TARRY_IO", "1", "--io");
  if (options.records_opencl) configuration.set_option("TARRY_OPENCL", "1", "--opencl");
  if (options.records_cuda) configuration.set_option("TARRY_CUDA", "1", "--cuda");
  if (!options.annotations.empty()) configuration.set_option("TARRY_ANNOTATIONS", options.annotations, "--annotations");
  if (!options.wrapped.empty()) configuration.set_option("TARRY_WRAP", options.wrapped, "--wrap");
  if (!options.wrapped_headers.empty())
    configuration.set_option("TARRY_WRAP_HEADER", one_after_another(options.wrapped_headers), "--wrap-header");
  if (options.wraps_nested) configuration.set_option("TARRY_WRAP_NESTED", "1", "--wrap-nested");
  if (!options.call_paths.empty()) configuration.set_option("TARRY_CALLPATHS", options.call_paths, "--callpaths");
  if (!options.inlined.empty()) configuration.set_option("TARRY_INLINE", options.inlined, "--inline");
  if (options.keeps_system_frames) configuration.set_option("TARRY_SYSTEM_FRAMES", "1", "--system-frames");
  if (!options.sample_rate.empty()) configuration.set_option("TARRY_SAMPLE", options.sample_rate, "--sample");
  if (!options.depth.empty()) configuration.set_option("TARRY_DEPTH", options.depth, "--depth");
  if (!options.parameters.empty()) {
    TARRY_TRY_ASSIGN(parameters, with_parameters(configuration.value_of(kParametersVariable), options.parameters));
    configuration.set_option(kParametersVariable, parameters, "--param");
  }
  if (!options.samples_inside) return configuration;
  configuration.set_option("TARRY_SAMPLE_INSIDE", "1", "--sample-inside");
  configuration.set_option("TARRY_SYSTEM_FRAMES", "1", "--sample-inside");
  return configuration;
}

}  // namespace tarry
