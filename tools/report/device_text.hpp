// device_text.hpp -- accelerators as text for people.
#pragma once

#include <string>
#include <vector>

#include "findings/device_findings.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {

/// The heading and what the queues did, with their longest kernels, in so many columns.
std::vector<std::string> device_lines(const DeviceFindings& devices, const ReportStructure& structure,
                                      const ShownRegions& names, std::size_t columns);

}  // namespace tarry
