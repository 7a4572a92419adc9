// history_block.hpp -- histories of metrics as the page holds them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/history.hpp"

namespace tarry {

/// One metric over the runs, as `tarry history --format json` prints it.
struct HistoryBlock {
  std::string metric, json;
  std::size_t histories = 0, left_out = 0, steps = 0;
};

/// Metrics that a page has the history of: those that `wanted` names, else the time, its kinds and the wait states, of
/// those that runs have.
Result<std::vector<std::string>> metrics_with_history(Database& database, const std::vector<std::string>& wanted);

/// Runs as `where` chooses them. Histories with steps come first, then those of most runs.
Result<HistoryBlock> history_block(Database& database, const std::string& metric, const std::string& where);

}  // namespace tarry
