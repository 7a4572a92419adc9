// work_factors.hpp -- how much longer each call path of a process takes on the changed machine.
#pragma once

#include <vector>

#include "prediction/simulation/machine.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// What a region means to a changed machine.
struct RegionWork {
  double factor = 1;
  double alone = 1;  // of the region itself
  bool is_mpi = false;
  bool is_barrier = false;
  bool is_balanced = false;

  double own() const { return factor * alone; }
};

/// What the computation of a process takes, relative to the recorded run.
struct WorkFactors {
  std::vector<double> of_path;  // of its call tree
  std::vector<bool> is_mpi;     // paths in MPI functions
  double elsewhere = 1;         // outside all regions
  bool are_one = true;          // nothing changes
};

/// Those of all processes. Paths in MPI take as long as before; in a changed network they take no time but what the
/// network costs. Waiting in OpenMP is no computation.
class AllWorkFactors {
 public:
  /// Both must outlive this.
  AllWorkFactors(const Trace& trace, const Machine& machine);

  /// On several workers at once.
  WorkFactors of(RankIndex rank) const;

  /// Of a kernel on an accelerator. What the processor does more slowly or faster says nothing of it.
  double of_kernel(RegionId region) const { return region.value < regions_.size() ? regions_[region.value].own() : 1; }

 private:
  const Trace& trace_;
  const Machine& machine_;
  std::vector<RegionWork> regions_;
  Indexed<RankIndex, std::vector<double>> balanced_;  // work of each process that is to be balanced; empty: none is
  double mean_ = 0;
};

}  // namespace tarry
