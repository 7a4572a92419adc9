// timeline_blocks.hpp -- what happened when, as the page holds it (docs/EXPLORER.md, "The timeline").
#pragma once

#include <string>
#include <vector>

#include "base/ranges.hpp"
#include "base/result.hpp"
#include "explored_run.hpp"
#include "page_writer.hpp"

namespace tarry {

struct TimelineRequest {
  bool is_wanted = true;
  bool is_redacted = false;
  std::vector<TimeWindow> windows;  // that are asked for
  unsigned workers = 0;             // 0: all processors
};

/// Reads and analyses the trace of a run, and writes the blocks of its timeline. Their names begin with `prefix`.
/// Returns the name of the block that names the others; nothing if there is no trace, or if it is not that of the
/// report.
Result<std::string> write_timeline(PageWriter& page, const ExploredRun& run, const std::string& prefix,
                                   const TimelineRequest& request);

}  // namespace tarry
