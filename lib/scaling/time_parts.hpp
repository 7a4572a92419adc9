// time_parts.hpp -- what the time of a run was spent on, by kind: parts that add up to all of it.
#pragma once

#include <string>
#include <vector>

#include "base/units.hpp"
#include "report/algebra/cube_values.hpp"

namespace tarry {

/// A metric of the time hierarchy without those below it. Wait states are part of the operation that waits, so that
/// summaries and analyses have the same parts.
struct TimePart {
  std::string name;     // unique name of the metric
  std::string title;    // "MPI / Communication / Collective"
  Seconds seconds = 0;  // of all threads

  bool operator==(const TimePart&) const = default;
};

/// In the order of the metric tree; parts without time are left out. Empty if the report has no metric `time`.
std::vector<TimePart> time_parts(CubeValues& values);

}  // namespace tarry
