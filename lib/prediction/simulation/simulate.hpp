// simulate.hpp -- goes through a plan: when each step happens on the changed machine.
#pragma once

#include <cstdint>

#include "prediction/simulation/plan.hpp"

namespace tarry {

class VariantTimes;

/// What a simulation leaves beside the times of the steps.
struct SimulationOutcome {
  std::uint64_t ignored = 0;       // steps whose causes depend on themselves, by the trace: they did not wait for them
  bool is_deadlock = false;        // processes wait for each other: the other steps have no time
  WorldRank sender{}, receiver{};  // one of those that wait then, and for whom
};

/// Sets the times of all steps. Time: linear in steps and items. The result does not depend on the order in which
/// threads go on: each time is the latest of sums.
SimulationOutcome simulate(Plan& plan);

/// The same for the machines of `times`, each to the last bit. The steps keep what they take.
SimulationOutcome simulate(Plan& plan, VariantTimes& times);

}  // namespace tarry
