// scale_runs.hpp -- reads the runs of a study: their parameters, times, and the values of their call paths.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "scaling/model/measured_points.hpp"
#include "report/metrics/run_times.hpp"
#include "scaling/scale_options.hpp"
#include "scaling/time_parts.hpp"

namespace tarry {

/// Parameters that each run has.
inline constexpr char kProcesses[] = "processes";
inline constexpr char kThreads[] = "threads";  // of a process

/// Values of one metric, by the index of the name of the call path or region.
using IndexedValues = std::vector<std::pair<std::uint32_t, double>>;

/// One run. Values are exclusive along the call tree, so those of all call paths add up.
struct ScaleRun {
  std::string input;
  std::map<std::string, double> parameters;
  RunTimes times;
  std::map<std::string, IndexedValues> values;  // by metric; sorted
  std::vector<TimePart> parts;                  // of the time of all threads

  /// Nothing if the run did not visit it.
  std::optional<double> value(const std::string& metric, std::uint32_t name) const;
};

struct ScaleRuns {
  std::vector<std::string> names;  // of call paths or regions, sorted
  std::vector<ScaleRun> runs;
  std::vector<std::string> time_metrics = {"time"};  // those in seconds, in the order they were asked for
};

/// Those of options.runs, or of the store, that options.where accepts. Without a store a run is an archive or a report.
Result<ScaleRuns> read_scale_runs(const ScaleOptions& options);

/// One series for each call path (or region) and metric. A call path that a run did not visit has the value 0 there.
Result<std::vector<MeasuredSeries>> series_of_runs(const ScaleRuns& study);

}  // namespace tarry
