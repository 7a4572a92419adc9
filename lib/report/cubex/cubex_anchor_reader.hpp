// cubex_anchor_reader.hpp -- reads a report's trees from the XML member anchor.xml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The trees, with call paths and metrics in document order and locations in column order.
struct Anchor {
  ReportStructure structure;
  std::vector<std::string> member_stems;  // [metric]: "3" or "ghost_3"
  std::vector<std::string> damage;        // what was left out or put right
};

/// Parses an anchor. Tolerates what other writers do beyond the grammar. Fails if the text is not well-formed, is of
/// another major version, or names things that do not exist. `path` names the file in errors. Memory grows with the
/// text, not with its depth.
Result<Anchor> read_anchor(std::string_view text, const std::string& path);

}  // namespace tarry
