// findings_blocks.hpp -- what the text report says of a run, as its commands write it for programs.
#pragma once

#include <string>

#include "page/runs/explored_run.hpp"

namespace tarry {

/// JSON; empty where a report has no such values.
struct FindingsBlocks {
  std::string findings;    // tarry report --json
  std::string overheads;   // tarry report --overheads --json
  std::string iterations;  // by region: tarry report --iterations REGION --json
};

FindingsBlocks findings_blocks(const ExploredRun& run);

}  // namespace tarry
