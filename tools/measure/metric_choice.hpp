// metric_choice.hpp -- --metrics: what there is on this machine, and whether a list can be meant.
#pragma once

#include <string>

#include "base/result.hpp"

namespace tarry {

/// Every counter by source, with unit and description; of PAPI's those that can be counted here.
std::string metrics_help();

/// Fails on a name that is no counter anywhere: a misspelling. What only this machine lacks is no error: the program
/// may run elsewhere.
Status check_metrics(const std::string& list);

/// True if the list asks for counters of the heap.
bool needs_heap_library(const std::string& list);

/// True if it asks for counters that only a summary has.
bool needs_summary(const std::string& list);

}  // namespace tarry
