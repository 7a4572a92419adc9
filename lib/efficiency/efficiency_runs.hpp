// efficiency_runs.hpp -- reads runs whose efficiencies stand side by side: from traces, else from reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "replay/trace.hpp"
#include "report/metrics/run_times.hpp"

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

/// Of a trace that was read for something else, too: with prediction_details() and main_part; messages are matched.
/// Nothing if it does not tell (tells_main_part()). Of the part between MPI_Init and MPI_Finalize.
std::optional<Result<EfficiencyRun>> efficiency_run_of(const Trace& trace, const std::string& input);

/// `input`: archive, anchor file of an OTF2 trace, or report.
Result<EfficiencyRun> read_efficiency_run(const std::string& input, const EfficiencyRunOptions& options);

/// What an ideal network would take of the run time, of an archive. Nothing without a trace, or if it does not tell.
Result<std::optional<double>> transfer_efficiency(const std::string& archive, const EfficiencyRunOptions& options);

}  // namespace tarry
