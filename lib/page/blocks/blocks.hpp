// blocks.hpp -- what the page holds of one report, as the blocks that docs/EXPLORER.md describes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "page/runs/explored_run.hpp"
#include "page/blocks/kept_locations.hpp"

namespace tarry {

using BlockBytes = std::vector<std::uint8_t>;

/// The three trees, as JSON.
std::string structure_block(const ExploredRun& run);

/// Values over all locations.
BlockBytes totals_block(ExploredRun& run);

struct ValueLimits {
  std::size_t packed_bytes = 0;                      // of values that are expected to pack to more, none; 0: no limit
  const std::vector<std::uint32_t>* kept = nullptr;  // the only locations; all if there is no list
};

/// All values of a metric, by its number on the page: empty if it has none, nothing if there are too many.
std::optional<BlockBytes> values_block(ExploredRun& run, std::uint32_t metric, const ValueLimits& limits);

/// How the values of each row are spread over all locations, for runs of which the page has few; empty if there are
/// none. `groups` is which group a location is of.
BlockBytes spread_block(ExploredRun& run, std::uint32_t metric, const LocationGroups& groups);

/// Messages by sender and receiver; empty if the report has none.
Result<BlockBytes> matrix_block(const ExploredRun& run);

/// Lines of source as JSON; empty if there are none to show. Files are searched in `folders` first.
std::string sources_block(ExploredRun& run, const std::vector<std::string>& folders);

}  // namespace tarry
