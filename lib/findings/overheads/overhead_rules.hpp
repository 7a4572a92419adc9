// overhead_rules.hpp -- which class of overhead a recorded time belongs to.
//
// Source: docs/METRICS.md, "Overheads".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "findings/overheads/overhead_classes.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The class of the time in a region itself, without its wait states: a leaf.
Overhead overhead_of(const ReportRegion& region);

/// The class of a wait state in a region of class `own`: a leaf of synchronisation.
Overhead overhead_of_wait(std::string_view metric, Overhead own);

/// The class of the events that a counter counts ("page-faults"), if it is one of data movement.
std::optional<Overhead> overhead_of_counter(std::string_view counter);

/// All such counters, for messages.
std::string counters_with_overhead();

}  // namespace tarry
