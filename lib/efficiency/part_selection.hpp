// part_selection.hpp -- finds the part of each thread's time that efficiencies are about.
#pragma once

#include <span>
#include <vector>

#include "analysis/selection.hpp"
#include "replay/iterations/iteration_marks.hpp"
#include "replay/trees/region_table.hpp"
#include "report/metrics/run_times.hpp"
#include "trace/source.hpp"

namespace tarry {

/// From where the first thread of a process leaves MPI_Init to where it enters MPI_Finalize; within that, the visits of
/// a region or one iteration. Worker threads are in the part as long as the first thread is, and in visits of their
/// own.
class PartSelection {
 public:
  /// Fails if the trace has no such region.
  static Result<PartSelection> create(Source& source, const RunPart& part);

  /// Of the threads of one process, master first. Reads their events: time linear in events. Thread-safe.
  std::vector<TimeRanges> of_process(std::span<const LocationId> locations) const;

 private:
  PartSelection(Source& source, const RunPart& part) : source_(source), part_(part), regions_(source.definitions()) {}

  TimeRanges::Range between_init_and_finalize(LocationId master) const;
  TimeRanges iteration(LocationId master) const;

  Source& source_;
  RunPart part_;
  RegionTable regions_;
  TimeSelection visits_;
  IterationMarks iterations_;
};

}  // namespace tarry
