// timeline_blocks.hpp -- what happened when, as the page holds it (docs/EXPLORER.md, "The timeline").
#pragma once

#include <string>

#include "analysis/timeline/run_timeline.hpp"
#include "base/result.hpp"
#include "page/runs/explored_run.hpp"
#include "page/page_writer.hpp"
#include "page/runs/traced_run.hpp"

namespace tarry {

/// Writes the blocks of the timeline of a run. Their names begin with `prefix`. Returns the name of the block that
/// names the others; nothing if there is nothing to show.
Result<std::string> write_timeline(PageWriter& page, const ExploredRun& run, const TracedRun& traced,
                                   const TimelineFacts& facts, const std::string& prefix, const TraceRequest& request);

}  // namespace tarry
