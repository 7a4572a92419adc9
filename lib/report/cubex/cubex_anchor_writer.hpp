// cubex_anchor_writer.hpp -- a report's trees as the XML member anchor.xml.
#pragma once

#include <string>

#include "report/cubex/cubex_layout.hpp"

namespace tarry {

/// The whole anchor: some 200 bytes for each process and thread. The same arguments give the same bytes.
std::string anchor_text(const ReportStructure& structure, const CubexLayout& layout);

}  // namespace tarry
