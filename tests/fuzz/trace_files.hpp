// trace_files.hpp -- puts a trace that was written down in memory into files: an archive, an OTF2 trace.
#pragma once

#include <string>

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry::fuzz {

/// Writes an archive of what can be stated in one: records of unknown kinds are left out, times that run backwards are
/// those of the record before. Fails if it cannot be written.
Status write_archive(SyntheticTrace& trace, const std::string& folder);

/// Writes FOLDER/traces.otf2 and what belongs to it, of a trace of one thread per process; returns its path. Records
/// other than those of regions, messages and collective operations are left out.
std::string write_otf2(SyntheticTrace& trace, const std::string& folder);

}  // namespace tarry::fuzz
