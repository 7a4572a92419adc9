// choose_report.hpp -- which report of an archive a tool reads when the user names the archive.
#pragma once

#include <string>

namespace tarry {

/// Path of the archive's analysis, else of its summary; empty if it holds neither.
std::string choose_report(const std::string& archive);

}  // namespace tarry
