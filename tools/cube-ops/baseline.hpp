// baseline.hpp -- the runs of a store that a new report is compared with.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "report_input.hpp"
#include "store/database.hpp"

namespace tarry {

struct Baseline {
  std::vector<OpenReport> reports;
  std::vector<std::string> names;  // for messages
};

/// The last ten runs that `where` accepts and that have the program, ranks and threads of `newest`. Fails if there is
/// none. `store` must outlive the reports.
Result<Baseline> open_baseline(Database& store, const std::string& where, const CubeSource& newest);

}  // namespace tarry
