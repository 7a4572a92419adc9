// critical_walk.hpp -- the critical path: the chain of activities that determines the run time.
#pragma once

#include <vector>

#include "analysis/delay/delay_instances.hpp"
#include "analysis/results.hpp"

namespace tarry {

/// A stretch of the critical path on one thread.
struct PathSegment {
  RankIndex rank{};
  ThreadIndex thread{};
  LogPosition begin = 0;
  LogPosition end = 0;
  Ticks begin_time = 0;
  Ticks end_time = 0;
  SyncIndex first{};          // the sync point at `begin`; none at the start of a trace
  bool follows_wait = false;  // the path came here because of a wait at `first`
  Ticks tail = 0;             // of its time, what `tail_path` gets at the end: until the thread that was created began
  PathIndex tail_path = kNoPath;
};

/// Walks from the end of the run backwards: at a wait, the path continues at the one who was waited for. Segments from
/// the last to the first.
std::vector<PathSegment> walk_critical_path(const DelayContext& context);

/// The parts of the segments that lie in the selected part of the trace, at analysis process 0. Collective over the
/// analysis processes.
std::vector<PathSegment> select_segments(const DelayContext& context, const std::vector<PathSegment>& segments);

/// How much of the critical path belongs to each world (Trace::mpi_worlds), in ticks. It is the part between the begin
/// of its first process and the end of its last one. Worlds that were not spawned count from the start of the path.
std::vector<double> path_lengths(const DelayContext& context, const std::vector<PathSegment>& segments);

/// Adds the time of the segments, without the waits at which they begin, to the values of hosted processes.
void critical_path_profile(const DelayContext& context, const std::vector<PathSegment>& segments, Results& into);

}  // namespace tarry
