// blocks.hpp -- what the page holds of one report, as the blocks that docs/EXPLORER.md describes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "explored_run.hpp"

namespace tarry {

using BlockBytes = std::vector<std::uint8_t>;

/// The three trees, as JSON.
std::string structure_block(const ExploredRun& run);

/// Values over all locations.
BlockBytes totals_block(ExploredRun& run);

/// All values of a metric, by its number on the page; empty if it has none.
BlockBytes values_block(ExploredRun& run, std::uint32_t metric);

/// Messages by sender and receiver; empty if the report has none.
Result<BlockBytes> matrix_block(const ExploredRun& run);

/// Lines of source as JSON; empty if there are none to show.
std::string sources_block(ExploredRun& run);

}  // namespace tarry
