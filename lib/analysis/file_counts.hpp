// file_counts.hpp -- sums what the processes of a trace have done with files.
//
// Source: docs/METRICS.md, "Files".
#pragma once

#include "replay/trace.hpp"
#include "report/tables/file_table.hpp"

namespace tarry {

/// The files of all analysis processes, at process 0; empty elsewhere. Collective.
FileTable count_files(const Trace& trace);

}  // namespace tarry
