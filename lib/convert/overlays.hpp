// overlays.hpp -- what a replay found, as intervals on the time lines of locations: waits, who causes them, the
// critical path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"

namespace tarry {

enum class OverlayLayer : std::uint8_t { kWait, kDelayCause, kCriticalPath };

struct OverlayInterval {
  OverlayLayer layer = OverlayLayer::kWait;
  std::uint32_t kind = 0;  // index into Overlays::kinds; of the critical path 0
  LocationId location;
  Ticks begin = 0, end = 0;
  std::string text;  // "mpi_latesender #3: 40.1 ms, for rank 0 in main/MPI_Send"
};

struct Overlays {
  std::vector<std::string> kinds;          // names of metrics
  std::vector<OverlayInterval> intervals;  // sorted by begin, then location

  bool empty() const { return intervals.empty(); }
};

/// Files that `tarry replay --instances` and `--critical-path` write; an empty name: none.
struct OverlayFiles {
  std::string instances;
  std::string critical_path;
};

/// The files of an archive beside its analysis.
OverlayFiles find_overlay_files(const std::string& archive);

/// Reads them. Rows of ranks that the trace does not have are left out.
Result<Overlays> read_overlays(const OverlayFiles& files, const Definitions& all);

/// A stretch of time around one wait.
struct WaitContext {
  Ticks begin = 0, end = 0;
};

/// `which` is "late-sender#2" for the second longest wait of that kind in the instances file. Kinds are spelt as
/// metrics are, with or without "mpi", "omp" and punctuation. The stretch is five times as long as the operation that
/// waited.
Result<WaitContext> find_wait_context(const std::string& instances_file, const std::string& which, const Clock& clock);

}  // namespace tarry
