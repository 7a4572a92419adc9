// device_findings.hpp -- what the queues of accelerators did in a run, from its report.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "findings/report_rank.hpp"
#include "report/metrics/device_efficiencies.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// What queues execute of one kernel at one call path.
struct KernelFinding {
  CallPathId call_path;
  Seconds seconds = 0;
  double executions = 0;
  // Of the processes with queues; all their queues together:
  ReportRank worst{0};
  Seconds largest = 0, mean = 0;
};

/// A call path of work in a queue.
struct QueuedPath {
  CallPathId call_path;
  Seconds seconds = 0;
};

/// Work that waits for earlier work of its queue which it does not need (docs/METRICS.md, "Queue order").
struct QueueOrderFinding {
  Seconds waiting = 0, holding = 0;  // over all queues
  // In the queue that is held up longest:
  QueuedPath waits;  // what waits most
  QueuedPath holds;  // what holds up others most
};

/// Sums over all queues.
struct DeviceFindings {
  std::size_t queues = 0;  // that have executed anything
  Seconds time = 0;        // from the first work of each to its last; the sum of
  Seconds kernels = 0, copies = 0, idle = 0;
  Seconds exposed = 0;                     // of the copies: while no kernel of the process ran
  Seconds late_launch = 0;                 // of the idle time: until a thread launched the next work
  double bytes = 0;                        // copied
  std::optional<QueueOrderFinding> order;  // none: no work is known to wait so
  DeviceEfficiencies efficiencies;
  double offload_efficiency = 0;       // of the host: computation, as a part of that and of calls of accelerators
  std::vector<KernelFinding> longest;  // of the kernels; longest first
};

/// By process, in seconds; nothing for those without queues. `counts`: whether a call path does.
std::vector<std::optional<DeviceTimes>> times_of_devices(const Report& report, const std::vector<bool>& counts);

/// At most `most` kernels. None if the report has no time of accelerators. `wall`: of the run.
std::optional<DeviceFindings> find_devices(const Report& report, Seconds wall, std::size_t most);

}  // namespace tarry
