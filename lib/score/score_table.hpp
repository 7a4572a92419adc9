// score_table.hpp -- what a trace would need, by call path and thread, from a summary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/metrics/recording_costs.hpp"
#include "report/metrics/region_classes.hpp"

namespace tarry {

/// What one call path (or region, or class, or process) costs: sums over its threads.
struct ScoreCost {
  double events = 0;        // records in a trace
  double buffer_bytes = 0;  // of them in memory
  double disk_bytes = 0;    // of them compressed in the archive
  double visits = 0;
  double seconds = 0;  // exclusive

  ScoreCost& operator+=(const ScoreCost& other);
};

/// The costs of a report, for each call path and process.
struct ScoreTable {
  std::vector<RegionGroup> classes;          // [region]
  std::vector<bool> is_filterable;           // [region]
  std::vector<CostKind> kinds;               // [region] what recording a visit costs
  std::vector<ScoreCost> costs;              // [call path], over all processes
  std::vector<std::vector<double>> buffers;  // [process][call path] bytes
  std::vector<std::vector<double>> visits;   // [process][call path] of the thread that has most
  std::vector<std::vector<double>> records;  // the same, beside enters and leaves
  std::vector<Seconds> seconds;              // [process] of its longest thread
  std::vector<std::uint32_t> threads;        // [process]
  std::vector<std::int64_t> ranks;           // [process]
  double total_seconds = 0;                  // of all threads
  bool is_counted = false;                   // sizes were counted while recording, not estimated
};

/// How events become bytes.
struct ScoreModel {
  double ticks_per_second = 2.5e9;
  std::uint32_t counters = 0;  // recorded with each enter and leave, beside those of the summary
};

/// Takes one look at each row of the metrics it needs. Fails if there are no visits and time.
Result<ScoreTable> make_score_table(CubeValues& values, const ScoreModel& model);

}  // namespace tarry
