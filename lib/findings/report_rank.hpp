// report_rank.hpp -- who is meant in a report.
#pragma once

#include <cstdint>

#include "base/arrays/ids.hpp"

namespace tarry {

/// Rank of a process as a report has it: ReportProcess::rank.
using ReportRank = StrongId<struct ReportRankTag, std::int64_t>;

/// Number of a thread within its process: ReportLocation::rank.
using ReportThread = StrongId<struct ReportThreadTag, std::int64_t>;

}  // namespace tarry
