// choose_report.hpp -- which report of an archive a tool reads when the user names the archive.
#pragma once

#include <string>

#include "base/result.hpp"

namespace tarry {

/// Path of the archive's analysis, else of its summary; empty if it holds neither.
std::string choose_report(const std::string& archive);

/// The report that the user means: that of an archive, or the file named. Tells what an archive without reports needs.
Result<std::string> report_to_read(const std::string& input);

}  // namespace tarry
