// convert.hpp -- opens the input, hands it to the writer of the format that is asked for, and reports what was skipped.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/tool/progress.hpp"
#include "base/result.hpp"
#include "convert/options.hpp"
#include "convert/overlays.hpp"
#include "trace/source.hpp"

namespace tarry {

/// What a writer of a format gets.
struct Conversion {
  const MergeOptions& options;
  Source& source;
  Progress& progress;
  unsigned workers = 1;
  Overlays overlays = {};              // to be drawn over the trace
  std::string left_out = {};           // set by the writer: what the format has no place for, counted; empty if nothing
  std::string left_out_patterns = {};  // the same: waits that are more than the user wants
};

/// What --to takes.
std::vector<std::string> format_names();

/// Returns the exit status.
Result<int> run_merge(const MergeOptions& options);

/// Runs job(location) for each location on several threads, with the bar moving. The first error ends all.
Status for_each_location(Conversion& conversion, const std::function<Status(LocationId)>& job);

/// A new OTF2 trace in a new folder.
Status write_otf2(Conversion& conversion);

/// A new archive: an import, or one container whose chunks are in order of time.
Status write_archive(Conversion& conversion);

/// Lines of text in order of time.
Status write_csv(Conversion& conversion);
Status write_jsonl(Conversion& conversion);

/// OUT.prv, and the .pcf and .row beside it.
Status write_paraver(Conversion& conversion);

/// Protobuf track events for ui.perfetto.dev.
Status write_perfetto(Conversion& conversion);

}  // namespace tarry
