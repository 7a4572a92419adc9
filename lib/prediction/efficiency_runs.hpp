// efficiency_runs.hpp -- reads runs whose efficiencies stand side by side: from traces, else from reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/run_times.hpp"

namespace tarry {

struct EfficiencyRun {
  std::string input;  // as the user names it
  bool is_traced = false;
  RunTimes times = {};
  std::vector<std::string> notes = {};  // what to be careful about
};

struct EfficiencyRunOptions {
  RunPart part = {};
  bool is_like_dimemas = false;  // the ideal network
  unsigned workers = 0;          // 0: all processors
  std::uint64_t memory = 0;      // 0: as much as there is
};

/// `input`: archive, anchor file of an OTF2 trace, or report.
Result<EfficiencyRun> read_efficiency_run(const std::string& input, const EfficiencyRunOptions& options);

}  // namespace tarry
