// advice.hpp -- one line in plain words for each kind of finding: what happens there and where to look.
#pragma once

#include <string>
#include <vector>

#include "findings/findings.hpp"

namespace tarry {

/// At most `most` lines, for the largest wait states first; no two say the same.
std::vector<std::string> give_advice(const Report& report, const Findings& findings, std::size_t most);

}  // namespace tarry
