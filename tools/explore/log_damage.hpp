// log_damage.hpp -- tells the user which reports of a page are damaged.
#pragma once

#include <memory>
#include <vector>

#include "page/runs/explored_run.hpp"

namespace tarry {

/// Logs the damage that reading has met, as one line for each report: an error if `is_strict`, else a warning. Returns
/// whether there is any.
bool log_damage(const std::vector<std::unique_ptr<ExploredRun>>& runs, bool is_strict);

}  // namespace tarry
