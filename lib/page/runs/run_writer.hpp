// run_writer.hpp -- the blocks of one run, in the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "page/runs/explored_run.hpp"
#include "page/page_writer.hpp"
#include "efficiency/efficiency_runs.hpp"
#include "page/runs/traced_run.hpp"

namespace tarry {

/// What a page has of a run with too many values.
struct KeptBlocks {
  std::string reason;                    // for people
  std::vector<std::uint32_t> locations;  // that have single values
  std::string groups;                    // of what it has sums: "process", "node" or nothing
  std::vector<std::string> spread;       // names of blocks, by metric; empty: none
};

/// The names of the blocks of a run.
struct RunBlocks {
  std::vector<std::pair<std::string, std::string>> named;  // what it is, name
  std::vector<std::string> values;                         // by metric; empty: none
  std::optional<KeptBlocks> kept;
  std::vector<std::string> notes = {};                   // what people must know of the trace
  bool has_short_trace = false;                          // that was read
  std::optional<Result<EfficiencyRun>> efficiency = {};  // if that trace tells
};

/// Writes what the page has of a run. Values that pack to more than 20 MB are too many: then it has how they are spread
/// over all locations, and single values of some. `source_path`: folders with source files.
Result<RunBlocks> write_run(PageWriter& page, ExploredRun& run, std::size_t number,
                            const std::vector<std::string>& source_path, const TraceRequest& traced);

}  // namespace tarry
