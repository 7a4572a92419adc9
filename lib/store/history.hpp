// history.hpp -- one metric over the runs of a store in their order, and where it has moved.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/database.hpp"
#include "store/find_steps.hpp"
#include "store/run_filter.hpp"
#include "store/runs.hpp"

namespace tarry {

struct HistoryQuery {
  SeriesQuery series;
  std::size_t last = 200;  // runs of each history; 0: all
};

/// Runs of one commit, one after another; without commits each run by itself.
struct HistoryPoint {
  std::vector<StoredRun> runs;
  SeriesPoint values;  // as many

  double mean() const;
};

/// Runs that can be compared: of one program, size, kind and set of parameters.
struct History {
  std::string title;  // what they have in common
  std::vector<HistoryPoint> points;
  std::vector<SeriesStep> steps;
};

/// By the first run of each. Runs that are not complete are left out.
Result<std::vector<History>> find_histories(Database& database, const HistoryQuery& query, const RunFilter& filter);

/// "run 12 (commit 3f2a9c1, 2026-01-31T12:00:00Z)".
std::string run_title(const StoredRun& run);

}  // namespace tarry
