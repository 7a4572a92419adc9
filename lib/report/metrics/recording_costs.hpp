// recording_costs.hpp -- what it costs to record a call, by kind of call and of recording: measured, kept in a report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// What is recorded. The recorder measures them in this order (lib/measure/calibration).
enum class CostKind : std::uint8_t {
  kFunction,      // enter and leave of an instrumented function or user region that does next to nothing
  kBusyFunction,  // the same of one that works for some nanoseconds: hooks keep a processor from overlapping visits
  kFiltered,      // a function that does next to nothing, filtered at run time: two hooks that look and return
  kBusyFiltered,  // the same of one that works
  kCall,          // enter and leave of a call of MPI or POSIX threads
  kRecord,        // a record inside such a call: a message, a request, a collective operation
  kOpenMp,        // enter and leave of an OpenMP construct
  kFile,          // a read or write of a file by the program itself, with its records
  kByte,          // a byte of a trace in memory: to get the memory, to compress it and to write it at the end
  kCount,
};
inline constexpr std::size_t kCostKinds = static_cast<std::size_t>(CostKind::kCount);

/// What a run records.
enum class RecordingMode : std::uint8_t { kTrace, kSummary, kBoth, kCount };
inline constexpr std::size_t kRecordingModes = static_cast<std::size_t>(RecordingMode::kCount);

/// "function", "busy_function", "filtered", "busy_filtered", "call", "record", "openmp", "file", "byte".
std::string_view name_of(CostKind kind);
/// "trace", "summary", "both".
std::string_view name_of(RecordingMode mode);

struct RecordingCosts {
  std::array<std::array<Seconds, kRecordingModes>, kCostKinds> seconds{};
  std::string machine;  // where they were measured

  Seconds of(CostKind kind, RecordingMode mode) const {
    return seconds[static_cast<std::size_t>(kind)][static_cast<std::size_t>(mode)];
  }
};

/// What a report tells about the recording that it is made of.
struct RecordingFacts {
  bool is_known = false;                         // else the report is of another tool, or an old one
  std::optional<RecordingCosts> costs;           // none: they were not measured there
  RecordingMode mode = RecordingMode::kSummary;  // of the run
  bool is_filtered = false;                      // at run time: some functions are not in the report
  double lookups = 0;                            // stacks that were looked at for call paths
  Seconds lookup_seconds = 0;                    // what they have cost
  double stretch = 1;                            // time that processes were ready to run, by the time that they ran
};

using ReportAttributes = std::vector<std::pair<std::string, std::string>>;

/// As attributes of a report (docs/CUBEX.md, "What recording has cost").
void add_recording_facts(const RecordingFacts& facts, ReportAttributes& attributes);

/// From there. Costs that are incomplete or impossible count as none.
RecordingFacts read_recording_facts(const ReportAttributes& attributes);

}  // namespace tarry
