// device_efficiencies.cpp -- how well a run uses its accelerators.
#include "report/metrics/device_efficiencies.hpp"

#include <algorithm>

namespace tarry {

DeviceEfficiencies device_efficiencies(const std::vector<std::optional<DeviceTimes>>& processes, Seconds wall) {
  Seconds sum = 0, longest = 0, longest_active = 0;
  std::size_t count = 0;
  for (const std::optional<DeviceTimes>& process : processes) {
    if (!process) continue;
    ++count;
    sum += process->busy;
    longest = std::max(longest, process->busy);
    longest_active = std::max(longest_active, process->busy + process->exposed_copies);
  }
  DeviceEfficiencies found;
  if (longest > 0) found.load_balance = sum / static_cast<double>(count) / longest;
  if (longest_active > 0) found.communication = longest / longest_active;
  if (wall > 0) found.orchestration = longest_active / wall;
  return found;
}

}  // namespace tarry
