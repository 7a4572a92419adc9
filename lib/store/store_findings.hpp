// store_findings.hpp -- what a run means, as rows of the store: overheads, findings, efficiencies.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "store/database.hpp"

namespace tarry {

/// A report that has no metric `time` has none of them. `transfer`: what an ideal network would take of the run time.
/// Within a transaction that writes.
Status store_findings(Database& database, std::int64_t experiment, const CubeSource& report,
                      const std::optional<double>& transfer);

}  // namespace tarry
