// efficiency_block.hpp -- POP's efficiencies of all runs of the page, side by side.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explored_run.hpp"

namespace tarry {

/// A run, and whether its trace shall be read for it: once more, and an ideal network is simulated.
struct RunOfEfficiency {
  const ExploredRun* run = nullptr;
  bool reads_trace = false;
};

/// As 'tarry report --efficiency --json' writes it; empty if one of the reports cannot tell.
std::string efficiency_block(const std::vector<RunOfEfficiency>& runs, unsigned workers, bool is_redacted);

}  // namespace tarry
