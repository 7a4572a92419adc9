// keep_store.hpp -- removes runs, gives back their room, checks what there is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/database.hpp"
#include "store/runs.hpp"

namespace tarry {

/// All of them or none. What they shared with others stays.
Status remove_runs_of(Database& database, const std::vector<StoredRun>& runs);

/// Removes what no run refers to any more; the number of rows.
Result<std::int64_t> remove_unused(Database& database);

/// Adds tags to runs, or takes them away; sets parameters.
Status set_tags(Database& database, const std::vector<StoredRun>& runs, const std::vector<std::string>& tags,
                bool removes);
Status set_parameters_of(Database& database, const std::vector<StoredRun>& runs,
                         const std::vector<std::pair<std::string, std::string>>& parameters);

/// What is wrong with the run, a line each: trees, vectors, totals that are not the sums of their vectors.
Result<std::vector<std::string>> check_run(Database& database, std::int64_t run);

}  // namespace tarry
