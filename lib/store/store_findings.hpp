// store_findings.hpp -- what a run means, as rows of the store: overheads, findings, efficiencies.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "report/cube_source.hpp"
#include "store/database.hpp"

namespace tarry {

/// A report that has no metric `time` has none of them. Within a transaction that writes.
Status store_findings(Database& database, std::int64_t experiment, const CubeSource& report);

}  // namespace tarry
