// collective_metrics.hpp -- what waits in collective operations count as.
#pragma once

#include "replay/logical_rank.hpp"
#include "report/metrics/metrics.hpp"

namespace tarry {

/// Metric::kNone: nothing.
struct CollectiveMetrics {
  Metric wait = Metric::kNone;
  Metric completion = Metric::kNone;
};

/// By the kind of operation. Of creations: as those of communicators (collective_results.cpp).
CollectiveMetrics metrics_of(const Collective& part);

}  // namespace tarry
