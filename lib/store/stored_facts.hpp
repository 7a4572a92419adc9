// stored_facts.hpp -- the facts of a run as they were when it was added, to add it to another store.
#pragma once

#include "base/result.hpp"
#include "store/database.hpp"
#include "store/run_facts.hpp"
#include "store/runs.hpp"

namespace tarry {

Result<RunFacts> facts_of_stored(Database& database, const StoredRun& run);

/// Back from the digits that key_text() gives; empty if they are none.
std::vector<std::uint8_t> key_of_text(const std::string& digits);

}  // namespace tarry
