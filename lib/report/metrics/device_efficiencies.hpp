// device_efficiencies.hpp -- how well a run uses its accelerators.
//
// Source: TALP (docs/METRICS.md, "Efficiencies of devices").
#pragma once

#include <optional>
#include <vector>

#include "report/metrics/run_times.hpp"

namespace tarry {

/// Fractions: 1 is without loss, 0 also where nothing can be told.
struct DeviceEfficiencies {
  double load_balance = 0, communication = 0, orchestration = 0;

  double all() const { return load_balance * communication * orchestration; }
};

/// Processes without queues have no times. `wall`: of the run, in seconds.
DeviceEfficiencies device_efficiencies(const std::vector<std::optional<DeviceTimes>>& processes, Seconds wall);

}  // namespace tarry
