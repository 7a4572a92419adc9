// cause_costs.hpp -- delay costs of all waits of a report, gathered by the call path that caused them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "report/tree/report.hpp"
#include "report/tables/wait_causes.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {

/// Waits of one kind that a call path has caused. `path`: where they are; none where the report does not tell.
struct CausedWaits {
  WaitKind kind = WaitKind::kNone;
  CallPathId path;
  Seconds direct = 0, indirect = 0;
  Seconds waiting = 0;  // of all waits there, whatever caused them

  Seconds seconds() const { return direct + indirect; }
};

/// Seconds by process of the report, and thread within it.
using ThreadParts = std::map<std::pair<std::uint32_t, std::uint32_t>, Seconds>;

/// What a call path has caused. Iterations of a loop are one place, and so are the operations on files of a function.
struct CausePlace {
  CallPathId path;
  bool is_file = false;                    // it is what its functions of files take
  Seconds on_metadata = 0;                 // of its costs: of functions that move no bytes
  std::vector<CallPathId> paid_at;         // the call paths that have the costs
  std::vector<CausedWaits> of_kinds;       // one for each kind
  std::vector<CausedWaits> effects;        // the same by the call path of the waits
  std::uint64_t listed_threads = 0;        // in the table; the costs themselves tell it where the report has them
  ThreadParts listed_parts, passed_on_by;  // in the table: the parts of threads, and through whose waits

  Seconds direct() const;
  Seconds indirect() const;
  Seconds seconds() const { return direct() + indirect(); }
};

struct CauseCosts {
  std::vector<CausePlace> places;
  Seconds caused = 0;  // by all together, with those that are not told apart
};

/// The metrics of delay costs have all costs. The table of causes tells apart what waits they are for, as far as it
/// goes. Costs that only the table has are taken from there.
CauseCosts gather_cause_costs(const Report& report, const std::vector<WaitCauses>& table);

/// What each thread pays on the call paths of a place.
ThreadParts parts_of_threads(const Report& report, const CausePlace& place);

}  // namespace tarry
