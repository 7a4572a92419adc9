// measure_options.hpp -- what the command line of tarry measure gives.
#pragma once

#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"
#include "configuration.hpp"
#include "measure_command.hpp"

namespace tarry {

/// Samples per second where --sample has no number: no multiple of what programs do regularly.
inline constexpr char kUsualSampleRate[] = "97";

struct MeasureOptions {
  bool summarises = false;
  bool traces = false;
  bool prints_configuration = false;
  bool keeps_system_frames = false;
  std::string archive;
  std::string memory;
  std::string filter;
  std::string events;
  std::string throttle;
  std::string pcontrol;
  std::string metrics;
  std::vector<std::string> metric_plugins;  // LIBRARY[:ARGUMENTS]
  std::string when_full;
  std::string clock_period;
  bool records_files = false;
  bool records_opencl = false;
  bool records_cuda = false;
  std::string annotations;
  std::string wrapped;
  std::vector<std::string> wrapped_headers;  // FILE[,LIBRARY]
  bool wraps_nested = false;
  std::string call_paths;
  std::string inlined;
  std::string sample_rate;
  std::string depth;
  bool samples_inside = false;
  std::vector<std::string> parameters;  // NAME=VALUE
  CommandLine words;
};

/// Declares all options of the tool.
void add_measure_options(CliOptions& cli, MeasureOptions& options);

/// The settings from files and the environment, and those of the options, which win.
Result<Configuration> configure(const MeasureOptions& options);

}  // namespace tarry
