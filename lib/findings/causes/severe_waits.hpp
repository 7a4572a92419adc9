// severe_waits.hpp -- the single waits that 'tarry replay --instances' keeps in a report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "findings/report_rank.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// One wait, a row of the report's table of instances (docs/CUBEX.md, "Statistics of waits").
struct SevereWait {
  std::string metric;  // unique name
  std::string call_path;
  Seconds waiting = 0;
  Seconds enter = 0;  // of the call, since the start of the trace
  ReportRank rank;
  std::optional<ReportRank> delaying_rank;
  std::string delaying_call_path;
};

/// The waits of a report, most severe first within each metric. None if it holds no table; rows that cannot be read are
/// left out.
std::vector<SevereWait> severe_waits(const Report& report);

}  // namespace tarry
