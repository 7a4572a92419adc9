// open_inputs.hpp -- finds and opens the reports of the runs that the user names.
#pragma once

#include <memory>
#include <vector>

#include "base/result.hpp"
#include "explore_options.hpp"
#include "page/runs/explored_run.hpp"

namespace tarry {

/// The runs in the order of the inputs, with their traces where there are any. Fails if a report is missing, cannot be
/// read, or is the output, too.
Result<std::vector<std::unique_ptr<ExploredRun>>> open_inputs(const ExploreOptions& options);

}  // namespace tarry
