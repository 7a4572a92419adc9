// plan_steps.hpp -- the steps of the threads of a process, with the time that lies between them.
#pragma once

#include "analysis/simulation/gates.hpp"
#include "analysis/simulation/plan.hpp"
#include "analysis/simulation/work_factors.hpp"

namespace tarry {

/// Fills RankPlan::threads and where the part between MPI_Init and MPI_Finalize begins and ends.
void plan_steps(const Trace& trace, RankIndex rank, const ThreadGates& gates, const WorkFactors& factors, Ticks origin,
                RankPlan& plan);

}  // namespace tarry
