// run_predict.hpp -- one run of tarry-predict: reads a trace, simulates it, prints what is predicted.
#pragma once

#include <optional>
#include <string>

#include "prediction/simulation/machine.hpp"
#include "base/result.hpp"
#include "exchange/exchange.hpp"
#include "prediction/gain_table.hpp"

namespace tarry {

struct PredictOptions {
  std::string input;
  std::string output;  // file for the report of the predicted run; empty: not wanted
  Machine machine;
  bool is_whole = false;             // with what comes before MPI_Init and after MPI_Finalize
  bool shows_waits = false;          // and the critical path, before and after; with a report in any case
  std::optional<GainOptions> gains;  // a table of what changes would save instead of one prediction
  bool is_strict = false;

  bool analyses() const { return shows_waits || !output.empty(); }
  unsigned workers = 0;      // 0: all processors
  std::uint64_t memory = 0;  // bytes the process may keep resident; 0: as it needs
};

/// Returns the exit status.
Result<int> run_predict(const PredictOptions& options, Exchange& exchange);

}  // namespace tarry
