// work_factors.hpp -- how much longer each call path of a process takes on the changed machine.
#pragma once

#include <vector>

#include "analysis/simulation/machine.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// What the computation of a process takes, relative to the recorded run.
struct WorkFactors {
  std::vector<double> of_path;  // of its call tree
  std::vector<bool> is_mpi;     // paths in MPI functions
  double elsewhere = 1;         // outside all regions
  bool are_one = true;          // nothing changes
};

/// Of all processes (by rank index). Paths in MPI take as long as before; in a changed network they take no time but
/// what the network costs. Waiting in OpenMP is no computation.
Indexed<RankIndex, std::vector<WorkFactors>> work_factors(const Trace& trace, const Machine& machine);

}  // namespace tarry
