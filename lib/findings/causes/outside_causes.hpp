// outside_causes.hpp -- what goes along with an imbalance that is no work of the program: preemption, page faults, I/O.
#pragma once

#include <vector>

#include "findings/imbalance/process_values.hpp"
#include "findings/imbalance/region_imbalance.hpp"

namespace tarry {

/// Seconds of each process: in a region, and in all file I/O. `excess` is what it computes beyond the average, where it
/// does.
struct ImbalanceTimes {
  const ProcessValues& region;
  const ProcessValues& excess;
  const ProcessValues& file_io;
};

/// Those that explain a twentieth or more of what the process with the most time takes beyond the average, largest
/// share first. `paths`: the region's call paths, for counters that were recorded there.
std::vector<CauseFinding> find_outside_causes(const Report& report, const ProcessorLoad& load, TimeClass time_class,
                                              const std::vector<CallPathId>& paths, const ImbalanceTimes& times);

}  // namespace tarry
