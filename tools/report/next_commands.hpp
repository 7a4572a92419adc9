// next_commands.hpp -- which commands tell more than the findings of a report.
#pragma once

#include <string>

#include "findings/findings.hpp"
#include "findings_text.hpp"

namespace tarry {

/// `input` is what the user named, `path` the report that was found there.
NextCommands next_commands(const std::string& input, const std::string& path, const Findings& findings);

}  // namespace tarry
