// derived_metrics.hpp -- metrics whose values are sums or differences of those of others, call path by call path.
#pragma once

#include "analysis/value_rows.hpp"

namespace tarry {

/// Fills in what follows from the waits, counts and causes that the passes have found. Metrics of which only the leaves
/// have values get their sums. Direct and terminal waits are differences.
void add_up_parts(ValueRows& values, unsigned workers);

/// Fills in what follows from the performance impact of activities and imbalance.
void add_up_impacts(ValueRows& values, unsigned workers);

}  // namespace tarry
