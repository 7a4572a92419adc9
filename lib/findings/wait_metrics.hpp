// wait_metrics.hpp -- which metrics of a report are time spent waiting, and what kind of waiting they are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace tarry {

/// Who keeps the waiting thread waiting; decides how advice is worded.
enum class WaitFamily : std::uint8_t {
  kNone,
  kSender,
  kOvertaken,
  kReceiver,
  kRoot,
  kEveryone,
  kNeighbors,
  kPeer,
  kTeam,
  kLock
};

/// The kind of a metric, by its unique name; kNone for whatever is no wait state.
WaitFamily wait_kind(std::string_view unique_name);

/// The kind of a part of a wait state: its own if it has one, else that of the whole.
WaitFamily part_kind(std::string_view part, std::string_view whole);

/// Wait states that are not part of another one (`mpi_latesender`, but not `mpi_latesender_wo`), in document order.
std::vector<MetricId> wait_metrics(const ReportStructure& structure);

/// Parts of a wait state: its descendants.
std::vector<MetricId> parts_of(const ReportStructure& structure, MetricId metric);

}  // namespace tarry
