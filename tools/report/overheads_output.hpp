// overheads_output.hpp -- the overheads of a run as text for people.
#pragma once

#include <string>

#include "findings/overheads/overheads_data.hpp"
#include "findings_text.hpp"

namespace tarry {

/// Without chosen classes the tree of all, and the regions with the most overhead. With them, their call paths.
std::string overheads_text(const OverheadSubject& subject, TextStyle style);

}  // namespace tarry
