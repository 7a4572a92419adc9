// efficiency_table.hpp -- efficiencies of runs side by side.
#pragma once

#include <string>
#include <vector>

#include "efficiency/efficiencies.hpp"
#include "efficiency/efficiency_runs.hpp"

namespace tarry {

/// Runs, the first one the reference, and what the efficiencies are of.
struct EfficiencyTable {
  std::vector<EfficiencyRun> runs;
  std::vector<Efficiencies> values;  // of each
  Scaling scaling = Scaling::kStrong;
  RunPart part = {};
};

/// In files.
const char* name_of(EfficiencyModel model);

EfficiencyTable make_efficiency_table(std::vector<EfficiencyRun> runs, Scaling scaling, const RunPart& part);

/// Header `run,processes,threads,model,metric,parent,value,missing`; a row for each run and efficiency.
std::string efficiency_csv(const EfficiencyTable& table);

/// One object; member "version" counts changes that break readers.
std::string efficiency_json(const EfficiencyTable& table);

}  // namespace tarry
