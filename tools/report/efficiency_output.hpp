// efficiency_output.hpp -- efficiencies of runs side by side, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "efficiency_runs.hpp"
#include "findings/efficiencies.hpp"
#include "findings_text.hpp"

namespace tarry {

/// Runs, the first one the reference, and what the efficiencies are of.
struct EfficiencyTable {
  std::vector<EfficiencyRun> runs;
  std::vector<Efficiencies> values;  // of each
  Scaling scaling = Scaling::kStrong;
  RunPart part = {};
};

EfficiencyTable make_efficiency_table(std::vector<EfficiencyRun> runs, Scaling scaling, const RunPart& part);

/// The hierarchy as indented rows, runs as columns.
std::string efficiency_text(const EfficiencyTable& table, TextStyle style);

/// Header `run,processes,threads,model,metric,parent,value,missing`; a row for each run and efficiency.
std::string efficiency_csv(const EfficiencyTable& table);

/// One object; member "version" counts changes that break readers.
std::string efficiency_json(const EfficiencyTable& table);

}  // namespace tarry
