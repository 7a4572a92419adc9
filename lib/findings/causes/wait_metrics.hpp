// wait_metrics.hpp -- which metrics of a report are time spent waiting, and what kind of waiting they are.
#pragma once

#include <string_view>
#include <vector>

#include "report/tree/report.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {

/// The family of a wait state, by its unique name; kNone for whatever is none. Reports of other analysers may have wait
/// states that wait_kinds.def has not.
WaitFamily wait_family(std::string_view unique_name);

/// The family of a part of a wait state: its own if it has one, else that of the whole.
WaitFamily part_family(std::string_view part, std::string_view whole);

/// Wait states that are not part of another one (`mpi_latesender`, but not `mpi_latesender_wo`), in document order.
/// Without what queues of accelerators wait for: their time is not that of the run.
std::vector<MetricId> wait_metrics(const ReportStructure& structure);

/// Parts of a wait state: its descendants.
std::vector<MetricId> parts_of(const ReportStructure& structure, MetricId metric);

}  // namespace tarry
