// time_hierarchy.hpp -- where the time of each call path goes: computation, MPI and its parts, OpenMP, overhead.
#pragma once

#include <vector>

#include "report/metrics/metrics.hpp"
#include "report/metrics/region_metrics.hpp"
#include "analysis/waits/pattern.hpp"
#include "replay/trees/region_table.hpp"

namespace tarry {

/// metrics_of() the region; `by_role` only where `compatibility` counts it too.
RegionMetrics classify(const RegionTable& regions, RegionId region, const Compatibility& compatibility);

/// Adds time, its breakdown, visits and the counts derived from visits for all threads of a process. Idle time must
/// have been added before (idle_threads.cpp): it is in kTime and in no other part.
void time_hierarchy(const RankContext& context, const std::vector<RegionMetrics>& classes);

/// Adds the time in which worker threads of a process had nothing to do to kTime, kIdleThreads, kLimitedParallelism
/// (idle_threads.cpp).
void idle_threads(const RankContext& context);

/// Adds `value` to `metric` and to all metrics it is part of, up to and including `last` (kNone: the root).
void add_with_parents(Severities& severities, Metric metric, Metric last, PathIndex path, double value);

}  // namespace tarry
