// cubex_anchor_writer.hpp -- writes a report's trees as the XML member anchor.xml.
#pragma once

#include "report/cubex_layout.hpp"
#include "report/cubex_output.hpp"

namespace tarry {

/// Appends the whole anchor. Calling it twice with the same arguments appends the same bytes.
void write_anchor(const ReportStructure& structure, const CubexLayout& layout, CubexOutput& out);

}  // namespace tarry
