// score_options.hpp -- what the command line of tarry score said.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.hpp"
#include "report/metrics/recording_costs.hpp"

namespace tarry {

struct ScoreOptions {
  std::string input;
  std::string new_filter;    // -g
  std::string given_filter;  // -f
  std::string by = "region", sort = "buffer";
  std::uint32_t top = 20;  // 0: all
  std::uint32_t counters = 0;
  bool is_csv = false;
  bool has_full_names = false;
  double max_buffer = 0;                            // bytes; 0: no target
  double max_overhead = 0;                          // fraction; 0: no target
  double min_time_per_visit = 0;                    // seconds; 0: no target
  double event_seconds = 0;                         // what recording one event takes; 0: as measured
  RecordingMode recording = RecordingMode::kTrace;  // of the next run
};

}  // namespace tarry
