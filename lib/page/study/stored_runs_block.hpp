// stored_runs_block.hpp -- the runs of a store as the page holds them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/runs.hpp"

namespace tarry {

/// As `tarry store list --format json` prints them, with the time of all threads of each.
Result<std::string> stored_runs_block(Database& database, const std::vector<StoredRun>& runs);

/// What a page must not show when it is mailed: hosts, folders, arguments, modules.
void redact(StoredRun& run);

/// Texts that are too long for a page.
void shorten_texts(StoredRun& run);

}  // namespace tarry
