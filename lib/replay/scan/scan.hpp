// scan.hpp -- the one pass over the events: a recorded process becomes a LogicalRank.
#pragma once

#include "defs/communicator_table.hpp"
#include "replay/scan/event_times.hpp"
#include "replay/iterations/iteration_marks.hpp"
#include "replay/logical_rank.hpp"
#include "replay/trees/region_table.hpp"
#include "trace/source.hpp"

namespace tarry {

/// What is kept of a trace beyond what the analysis of wait states needs, and what is changed.
struct KeptDetails {
  bool receive_times = false;    // LogicalRank::receive_times
  bool lock_places = false;      // of LogicalThread::locks, and starts: what sync points of locks are made of
  bool thread_ends = false;      // LogicalThread::ends; needs lock_places
  bool barrier_seconds = false;  // LogicalThread::barrier_seconds
  bool poll_gaps = false;        // time between polls that follow each other closely belongs to the polls
  bool poll_sleeps = false;      // so does a sleep between polls; needs poll_gaps
  const IterationMarks* iterations = nullptr;  // LogicalRank::iterations, which have call paths of their own
  const Retiming* retiming = nullptr;          // events happen at these times instead
  bool visit_logs = false;                     // LogicalThread::visit_log
  bool main_part = false;                      // LogicalThread::main_part
  bool queues = false;                         // of accelerators: LogicalThread::executions, LogicalRank::device_calls
};

/// Reads the threads of one process (`locations`, master first, queues last) from `source` into `rank`, a block of
/// events at a time. What cannot be understood is noted in the source's fault log with location and event number, and
/// left out. Safe to call for different processes at the same time. Time: linear in events. `selected` (per thread, or
/// empty) is what counts of times and visits; it must outlive `rank`. `details`: what is kept beyond what the analysis
/// of wait states needs.
void scan_process(Source& source, std::span<const LocationId> locations, const RegionTable& regions,
                  const CommunicatorTable& communicators, std::span<const TimeRanges> selected, KeptDetails details,
                  LogicalRank& rank);

/// "rank 3" or "rank 3 thread 1", for messages.
std::string location_name(const Definitions& definitions, LocationId location);

}  // namespace tarry
