// run_timeline.hpp -- what happened when on each thread: bins of the whole run, and single events in some windows of
// it.
//
// Memory and size are bounded, however long the run: a window has a limited number of calls, messages and waits, and
// keeps the longest. What it left out is counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/critical_path/path_stretches.hpp"
#include "analysis/instances/instances.hpp"
#include "analysis/timeline/wait_profiles.hpp"

namespace tarry {

/// Number of a row: of a location in the definitions.
using TimelineRow = std::uint32_t;
inline constexpr std::uint32_t kNoTimelineWait = 0xffffffffu;

/// A visit of a region.
struct TimelineCall {
  TimelineRow row = 0;
  PathIndex path = kNoPath;  // a unified one
  Ticks enter = 0, leave = 0;
  std::uint32_t depth = 0;  // how many visits are around it
};

/// From one row to another. Also a launch: sent by the call, received when the work begins.
struct TimelineMessage {
  TimelineRow from = 0, to = 0;
  Ticks sent = 0, received = 0;
  Bytes bytes = 0;
};

/// One process in a collective operation.
struct TimelineMember {
  TimelineRow row = 0;
  Ticks enter = 0, leave = 0;
};
using TimelineOperation = std::vector<TimelineMember>;

/// A wait with its cause, if that is known.
struct TimelineWait {
  WaitInstance facts;         // paths are unified
  TimelineRow row = 0;        // of the one that waits
  TimelineRow cause_row = 0;  // of the one that it waits for
  bool has_cause = false;
  std::uint32_t through = kNoTimelineWait;  // the wait of that one which passed it on, in the same window

  Ticks end() const { return facts.begin + facts.full_wait; }
};

/// The events of a part of the run. Those that begin before it or end behind it are there, too.
struct EventWindow {
  Ticks begin = 0, end = 0;
  Metric metric = Metric::kNone;  // what it is about: the wait `about` of that kind; none: the user's, or the whole run
  WaitInstance about;
  bool is_whole = false;

  std::vector<TimelineCall> calls;  // by row and time, outer before inner
  std::vector<TimelineMessage> messages;
  std::vector<TimelineOperation> operations;
  std::vector<TimelineWait> waits;
  PathStretches critical;
  std::uint64_t calls_left_out = 0, messages_left_out = 0, operations_left_out = 0, waits_left_out = 0;

  bool overlaps(Ticks first, Ticks last) const { return first <= end && last >= begin; }
};

inline constexpr std::uint8_t kNothingInBin = 255;

/// Bins of all rows, row by row.
struct TimelineBins {
  std::uint32_t bins = 0;
  std::vector<std::uint8_t> classes;   // what takes most of the bin: a number of RunTimeline::classes, or kNothingInBin
  std::vector<std::uint8_t> waits;     // share of it that is waiting, of 255
  std::vector<std::uint8_t> critical;  // share of it on the critical path, of 255
};

struct RunTimeline {
  Ticks begin = 0, end = 0;
  std::uint32_t rows = 0;
  std::vector<Metric> classes;             // of the time hierarchy
  std::vector<std::uint8_t> path_classes;  // [unified path]
  std::vector<TimelineBins> levels;        // coarse first
  std::vector<EventWindow> windows;
  std::vector<WaitProfile> profiles;  // the longest waits first
};

struct RunTimelineOptions {
  std::vector<TimeRanges::Range> wanted;  // windows that are asked for
  std::uint64_t whole_events = 160'000;   // a run with no more events is one window
  std::uint32_t window_calls = 12'000;    // of a window around a wait, on all rows,
  std::uint32_t wanted_calls = 200'000;   // and of one that is asked for
  std::uint32_t waits_of_kind = 3;        // so many of the worst waits of each kind have a window
  std::uint64_t bin_cells = 1 << 20;      // rows x bins of the finest level
  std::uint32_t finest_bins = 4096;
};

/// Shorter waits than the longest of each kind are not in the timeline.
inline constexpr std::size_t kWaitsInTimeline = 200'000;

/// Single waits and the critical path, which a timeline shows beside the visits; from AnalysisResult.
struct TimelineFacts {
  Instances waits;
  PathStretches stretches;  // of the critical path
};

/// The trace is in one analysis process and has logs of visits (KeptDetails::visit_logs). The result is the same for
/// all numbers of workers.
RunTimeline make_timeline(const Trace& trace, const UnifiedTree& unified, const TimelineFacts& facts,
                          const RunTimelineOptions& options);

}  // namespace tarry
