// delay_costs.hpp -- the root-cause analysis as a whole: which call paths cost how much waiting elsewhere.
#pragma once

#include "analysis/delay/cause_rows.hpp"
#include "analysis/delay/delay_events.hpp"
#include "analysis/delay/delay_instances.hpp"
#include "analysis/instances/instances.hpp"
#include "analysis/results.hpp"

namespace tarry {

/// Adds the delay costs of all kinds to the causing call paths. Adds the shares of indirect and propagating waits to
/// the waiting call paths. Only leaves of the metric tree get values. `instances`: from find_delay_instances().
/// Returns, at analysis process 0, the causes of the groups of waits that the context has. `events`: where the single
/// delays of hosted processes go; nullptr: nowhere. Collective over the analysis processes.
CausesOfWaits book_delays(const DelayContext& context, const DelaysByCause& instances, Results& into,
                          DelayEvents* events = nullptr);

}  // namespace tarry
