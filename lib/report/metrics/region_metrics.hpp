// region_metrics.hpp -- which metrics the time and the visits of a region belong to, by its paradigm, role and name.
//
// Source: docs/METRICS.md, "Time breakdown". Replay, summaries and texts about time all go by this.
#pragma once

#include <string_view>
#include <vector>

#include "defs/definitions.hpp"
#include "report/metrics/metrics.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// What decides.
struct RegionKind {
  Paradigm paradigm = Paradigm::kUnknown;
  RegionRole role = RegionRole::kUnknown;
  std::string_view name;
  std::string_view file;  // source file, or the paradigm's pseudo file ("MPI")

  bool is_mpi() const { return paradigm == Paradigm::kMpi || file == "MPI"; }
  bool is_openmp() const { return paradigm == Paradigm::kOpenMp || name.starts_with("!$omp"); }
};

/// Of a region of a report. It refers to the region's texts.
RegionKind kind_of(const ReportRegion& region);

struct RegionMetrics {
  Metric time = Metric::kComputation;  // the leaf of the time tree; kOverhead: no execution
  Metric by_role = Metric::kNone;      // of MPI: the leaf that its role alone would give
  std::vector<Metric> counts;          // each visit adds 1 to these and their parents
};

RegionMetrics metrics_of(const RegionKind& region);

}  // namespace tarry
