// otf2_source.hpp -- an OTF2 trace (versions 2 and 3) as a source of events.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Opens the trace whose anchor file ("run/traces.otf2") is given, reads its global definitions and the name of each
/// program. Errors: the anchor or the global definitions cannot be read, or no CPU thread was recorded. It is an
/// error, too, if no file of events is there although locations have events.
///
/// Processes are in order of rank, locations in order of process and thread; other locations than CPU threads are
/// left out. Time stamps arrive corrected by the clock offsets in the trace, so Definitions::clock_offsets is empty.
/// PROGRAM_BEGIN's field `region` is the program's root region, which is appended to the regions if need be.
/// Readers hold their file only while they are being read, and share nothing but the fault log.
Result<std::unique_ptr<Source>> open_otf2(const std::string& anchor_path);

}  // namespace tarry
