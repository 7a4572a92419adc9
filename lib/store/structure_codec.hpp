// structure_codec.hpp -- the facts of a report's trees that have no column of their own, as bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Each fills the members it is about; fails if the bytes are damaged. Empty where all have their defaults.
std::vector<std::uint8_t> metric_details(const ReportMetric& metric);
Status read_metric_details(std::span<const std::uint8_t> bytes, ReportMetric& metric);

std::vector<std::uint8_t> region_details(const ReportRegion& region);
Status read_region_details(std::span<const std::uint8_t> bytes, ReportRegion& region);

std::vector<std::uint8_t> call_path_details(const ReportCallPath& path);
Status read_call_path_details(std::span<const std::uint8_t> bytes, ReportCallPath& path);

std::vector<std::uint8_t> topology_bytes(const std::vector<ReportTopology>& topologies);
Result<std::vector<ReportTopology>> read_topologies(std::span<const std::uint8_t> bytes);

/// What is of this run alone: mirrors, and attributes of nodes, processes and locations.
std::vector<std::uint8_t> run_details(const ReportStructure& structure);
Status read_run_details(std::span<const std::uint8_t> bytes, ReportStructure& structure);

}  // namespace tarry
