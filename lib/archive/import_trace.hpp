// import_trace.hpp -- makes an archive of a trace in another format.
#pragma once

#include <string>

#include "archive/archive_writer.hpp"
#include "base/progress.hpp"
#include "base/result.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Appends all events of one location, and what the source says beyond them, and finishes it. `progress` (may be null)
/// counts events.
Status copy_location(Source& source, ArchiveWriter& writer, LocationId location, Progress* progress);

/// Writes all events of `source` to a new archive, and what it says beyond them, location after location: at no time
/// more than one of them waits in memory. Times are written as the source gives them. `progress` (may be null) counts
/// events. The archive appears when it is whole.
Status import_trace(Source& source, const std::string& path, WriterOptions options, Progress* progress = nullptr);

}  // namespace tarry
