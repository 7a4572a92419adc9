// import_trace.hpp -- makes an archive of a trace in another format.
#pragma once

#include <string>

#include "archive/writing/archive_writer.hpp"
#include "base/tool/progress.hpp"
#include "base/result.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Appends all events of one location, and what else the source holds of it, and finishes it. `progress` (may be null)
/// counts events.
Status copy_location(Source& source, ArchiveWriter& writer, LocationId location, Progress* progress);

/// Writes all events of `source` and its other contents to a new archive. Locations follow one another, so that memory
/// holds one at a time. Times are written as the source gives them. `progress` (may be null) counts events. The archive
/// appears when it is whole.
Status import_trace(Source& source, const std::string& path, WriterOptions options, Progress* progress = nullptr);

}  // namespace tarry
