// path_finding.hpp -- what the critical path of a run is made of, and what others wait for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "findings/report_rank.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// One call path on the critical path, in seconds; calls excluded.
struct PathPart {
  CallPathId call_path;
  Seconds seconds = 0;    // over all processes
  Seconds imbalance = 0;  // of it, what perfect balance would save
  Seconds inter = 0;      // what others wait that have no such call path
  ReportRank worst{0};    // that the path is on longest
  std::size_t processes = 0;
  // In a report of one process: the thread that the path is on longest, and on how many it is. Else 0.
  ReportThread worst_thread{0};
  std::size_t threads = 0;
  std::string worst_queue = {};  // of an accelerator, if the path is on it longest: "CUDA[0:7] of rank 1"
};

/// The critical path. Source: docs/METRICS.md, "Critical path" and "Performance impact".
struct CriticalPathFinding {
  Seconds length = 0;
  Seconds imbalance = 0;
  Seconds intra = 0;               // waiting for call paths that those who wait have, too
  Seconds inter = 0;               // for those that they do not have: of another program, or of other ranks
  std::vector<PathPart> parts;     // by time, largest first
  std::optional<PathPart> lacked;  // that most of `inter` is due to
};

/// None if the report has no critical path, or one thread alone.
std::optional<CriticalPathFinding> find_critical_path(const Report& report, std::size_t most);

}  // namespace tarry
