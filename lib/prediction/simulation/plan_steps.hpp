// plan_steps.hpp -- the steps of the threads of a process, with the time that lies between them.
#pragma once

#include "prediction/simulation/gates.hpp"
#include "prediction/simulation/plan.hpp"
#include "prediction/simulation/work_factors.hpp"

namespace tarry {

/// What differs from the recorded run in what a process computes.
struct ChangedWork {
  const WorkFactors& factors;
  const Changes* changes = nullptr;
};

/// The calls of each thread, as they are entered; of two at once the outer one first.
std::vector<Rows<CallIndex>> calls_of_threads(const LogicalRank& rank);

/// Fills RankPlan::threads and cuts, and where the part between MPI_Init and MPI_Finalize begins and ends.
void plan_steps(const Trace& trace, RankIndex rank, const ThreadGates& gates, const ChangedWork& work, Ticks origin,
                RankPlan& plan);

}  // namespace tarry
