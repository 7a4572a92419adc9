// efficiency_block.hpp -- POP's efficiencies of all runs of the page, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/runs/explored_run.hpp"
#include "efficiency/efficiency_runs.hpp"

namespace tarry {

/// A run, and whether its efficiencies are those of its trace: known, or to be had by reading it once more.
struct RunOfEfficiency {
  const ExploredRun* run = nullptr;
  bool is_of_trace = false;
  std::optional<Result<EfficiencyRun>> known = {};
};

/// As 'tarry report --efficiency --json' writes it; empty if one of the reports cannot tell.
std::string efficiency_block(const std::vector<RunOfEfficiency>& runs, unsigned workers, bool is_redacted);

}  // namespace tarry
