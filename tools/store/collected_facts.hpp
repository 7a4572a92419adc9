// collected_facts.hpp -- what is known of a run, from its archive, its report and the user.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "store/run_facts.hpp"
#include "store_commands.hpp"

namespace tarry {

/// What the user says wins over what the report says, and this over what the archive's manifest says. `input` is what
/// the user named, `report` the path of its report.
Result<RunFacts> collect_facts(const std::string& input, const std::string& report_path, const CubeSource& report,
                               const StoreOptions& options);

}  // namespace tarry
