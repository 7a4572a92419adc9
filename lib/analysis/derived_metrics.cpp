// derived_metrics.cpp -- metrics whose values are sums or differences of those of others, call path by call path.
#include "analysis/derived_metrics.hpp"

#include <algorithm>
#include <vector>

#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

// Leaf counts whose parents are their sums.
constexpr Metric kLeafCounts[] = {Metric::kSyncsSend,     Metric::kSyncsReceive,     Metric::kSyncsCollective,
                                  Metric::kCommsSend,     Metric::kCommsReceive,     Metric::kCommsExchange,
                                  Metric::kCommsSource,   Metric::kCommsDestination, Metric::kBytesSent,
                                  Metric::kBytesReceived, Metric::kBytesOut,         Metric::kBytesPut,
                                  Metric::kBytesGet,      Metric::kBytesIn};

// What of a wait in messages is not indirect is direct, what does not propagate is terminal.
struct Division {
  Metric whole, part, rest;
};
constexpr Division kDivisions[] = {
    {Metric::kLateSender, Metric::kIndirectLateSender, Metric::kDirectLateSender},
    {Metric::kLateReceiver, Metric::kIndirectLateReceiver, Metric::kDirectLateReceiver},
    {Metric::kLateSender, Metric::kPropagatingLateSender, Metric::kTerminalLateSender},
    {Metric::kLateReceiver, Metric::kPropagatingLateReceiver, Metric::kTerminalLateReceiver},
};

void add_to_parents(ValueRows& values, Metric leaf, PathIndex path) {
  for (Metric above = info_of(leaf).parent; above != Metric::kNone; above = info_of(above).parent)
    values.add_row(leaf, above, path);
}

bool is_cause_or_role(Metric metric) {
  while (info_of(metric).parent != Metric::kNone) metric = info_of(metric).parent;
  return metric == Metric::kDelay || metric == Metric::kWaitsDirectOrIndirect ||
         metric == Metric::kWaitsPropagatingOrTerminal;
}

// Of root causes and of the roles of waits only leaves are booked. Backwards, children come before parents.
std::vector<Metric> parts_of_causes() {
  std::vector<Metric> parts;
  for (const Metric metric : catalogue())
    if (is_cause_or_role(metric) && info_of(metric).parent != Metric::kNone) parts.push_back(metric);
  std::ranges::reverse(parts);
  return parts;
}

}  // namespace

void add_up_parts(ValueRows& values, unsigned workers) {
  const std::vector<Metric> parts = parts_of_causes();
  run_parallel(workers, values.paths(), [&](std::size_t number) {
    const auto path = static_cast<PathIndex>(number);
    for (const Metric leaf : kLeafCounts) add_to_parents(values, leaf, path);
    for (const auto& [whole, part, rest] : kDivisions) {
      values.add_row(whole, rest, path);
      values.add_row(part, rest, path, -1);
    }
    for (const Metric part : parts) values.add_row(part, info_of(part).parent, path);
  });
}

void add_up_impacts(ValueRows& values, unsigned workers) {
  run_parallel(workers, values.paths(), [&](std::size_t number) {
    const auto path = static_cast<PathIndex>(number);
    values.add_row(Metric::kImbalanceImpact, Metric::kIntraPartitionImbalance, path);
    values.add_row(Metric::kInterPartitionImbalance, Metric::kIntraPartitionImbalance, path, -1);
    for (const Metric part : {Metric::kCriticalPathActivities, Metric::kImbalanceImpact}) {
      values.add_row(part, Metric::kImpactCriticalPath, path);
      values.add_row(part, Metric::kPerformanceImpact, path);
    }
    values.add_row(Metric::kNonCriticalPathActivities, Metric::kPerformanceImpact, path);
  });
}

}  // namespace tarry
