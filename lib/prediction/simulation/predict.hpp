// predict.hpp -- how long a recorded program takes on a changed machine.
#pragma once

#include <memory>

#include "prediction/simulation/machine.hpp"
#include "prediction/simulation/simulate.hpp"
#include "prediction/simulation/simulated_times.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// Times in seconds. The part of a run that counts begins where the first process leaves MPI_Init, and ends where the
/// last one enters MPI_Finalize.
struct Prediction {
  double predicted = 0;
  double recorded = 0;
  double whole_predicted = 0;  // from the first event to the last one
  double whole_recorded = 0;
  double longest_computation = 0;  // outside MPI, by a process in that part, on the changed machine
  double mean_computation = 0;
  double largest_shift = 0;  // how far a step moved from its recorded time
  SimulationOutcome outcome;
};

/// What a trace must keep for it.
KeptDetails prediction_details();

/// The trace has matched messages and is held by one analysis process. `times`: those of all events then, for a program
/// that ends; nullptr: not wanted.
Prediction predict(const Trace& trace, const Machine& machine, std::unique_ptr<SimulatedTimes>* times = nullptr);

/// The same of a plan, whose steps get their times.
Prediction predict(Plan& plan);

}  // namespace tarry
