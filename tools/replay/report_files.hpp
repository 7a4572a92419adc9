// report_files.hpp -- where the report of an analysis goes, and what lies beside it.
#pragma once

#include <string>

#include "base/result.hpp"
#include "report/tree/report.hpp"
#include "run.hpp"

namespace tarry {

/// The file that the options name, or the one that an archive has for it.
std::string report_path(const ReplayOptions& options);

/// Fails if the report at `path`, or another file that will be written, is the input. Warns of an unfinished recording.
Status check_output(const ReplayOptions& options, const std::string& path);

/// Writes the report and the tables of instances. The manifest of an archive gets an entry.
Status write_output(const ReplayOptions& options, const Report& report, const std::string& path);

}  // namespace tarry
