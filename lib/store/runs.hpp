// runs.hpp -- the runs of a store: their facts, their totals, one metric over all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "store/database.hpp"

namespace tarry {

struct StoredRun {
  std::int64_t id = 0;
  std::string key;  // hexadecimal digits of the report's SHA-256
  std::string program, commit, flags, modules, kind, creator, command, source, incomplete, machine;
  std::string network, clocks, mpi;
  std::string date;  // when it started, else when it was added
  std::string added;
  std::optional<std::string> started, ended;
  std::int64_t nodes = 0, ranks = 0, locations = 0, report_bytes = 0;
  std::optional<Seconds> wall_seconds;
  std::optional<std::int64_t> exit_status;
  std::optional<std::int64_t> cores;                            // of all nodes
  std::vector<std::pair<std::string, std::string>> parameters;  // by name
  std::vector<std::string> tags;                                // by name
};

class RunFilter;

/// All runs that the filter accepts (all without one), by their numbers.
Result<std::vector<StoredRun>> find_runs(Database& database, const RunFilter* filter = nullptr);

/// The runs that words name: a number, "last", a tag, or at least 8 digits of a report's SHA-256. An unknown one fails.
Result<std::vector<StoredRun>> named_runs(Database& database, const std::vector<std::string>& names);

/// A fact by the name that --where knows, else the parameter of this name ("param.n" is always one).
std::optional<std::string> fact_of(const StoredRun& run, const std::string& name);

/// "n=512 layout=blocked".
std::string parameters_text(const StoredRun& run);

/// One metric of one run.
struct RunValue {
  std::int64_t run = 0;
  double value = 0;
};

/// What is asked of many runs.
struct SeriesQuery {
  std::string metric;     // unique name
  std::string region;     // sum over the call paths of this region, exclusive; empty: the whole run
  std::string call_path;  // or of this call path, names joined by '/', inclusive
};

/// By the number of the run; runs without the metric or the region are not there. Sums of all locations.
Result<std::vector<RunValue>> find_series(Database& database, const SeriesQuery& query);

/// One of the efficiencies of POP's standard, of the runs that have it ("transfer";
/// efficiency/efficiencies.def).
Result<std::vector<RunValue>> find_efficiency(Database& database, const std::string& name);

/// Names of all metrics that runs have, sorted; of all regions.
Result<std::vector<std::string>> metric_names(Database& database);
Result<std::vector<std::string>> region_names(Database& database);

}  // namespace tarry
