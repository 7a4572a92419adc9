// measure_options.cpp -- what the command line of tarry measure gives.
#include "measure_options.hpp"

#include <algorithm>

#include "defs/run_parameters.hpp"

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

}  // namespace

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
  if (!options.metrics.empty()) configuration.set_option("TARRY_METRICS", options.metrics, "--metrics");
  if (!options.clock_period.empty())
    configuration.set_option("TARRY_CLOCK_EVERY", options.clock_period, "--clock-every");
  if (options.records_files) configuration.set_option("TARRY_IO", "1", "--io");
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
