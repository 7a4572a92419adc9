// baseline.cpp -- the runs of a store that a new report is compared with.
#include "baseline.hpp"

#include <algorithm>

#include "base/tool/log.hpp"
#include "report/algebra/merged_sites.hpp"
#include "store/add_run.hpp"
#include "store/run_filter.hpp"
#include "store/stored_cube.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBaselineRuns = 10;

}  // namespace

Result<Baseline> open_baseline(Database& store, const std::string& where, const CubeSource& newest) {
  TARRY_TRY_ASSIGN(filter, RunFilter::parse(where));
  TARRY_TRY_ASSIGN(runs, find_runs(store, &filter));
  RunFacts facts;
  complete_facts(newest.structure(), facts);
  const auto ranks = static_cast<std::int64_t>(newest.structure().processes.size());
  const auto locations = static_cast<std::int64_t>(newest.structure().locations.size());
  std::erase_if(runs, [&](const StoredRun& run) {
    return run.program != facts.program || run.ranks != ranks || run.locations != locations;
  });
  if (runs.empty())
    return Error{store.name(), "has no run of '" + facts.program + "' on " + std::to_string(ranks) + " ranks that fits",
                 "see 'tarry store list'"};
  std::stable_sort(runs.begin(), runs.end(),
                   [](const StoredRun& left, const StoredRun& right) { return left.date < right.date; });
  if (runs.size() > kBaselineRuns) runs.erase(runs.begin(), runs.end() - kBaselineRuns);
  Baseline baseline;
  for (const StoredRun& run : runs) {
    TARRY_TRY_ASSIGN(cube, StoredCube::open(store, run.id));
    TARRY_TRY_ASSIGN(report, without_call_sites(std::move(cube)));
    baseline.reports.push_back(std::move(report));
    baseline.names.push_back("run " + std::to_string(run.id));
    log_detail("compares with run " + std::to_string(run.id));
  }
  return baseline;
}

}  // namespace tarry
