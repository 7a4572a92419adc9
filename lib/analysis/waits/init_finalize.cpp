// init_finalize.cpp -- MPI_Init and MPI_Finalize synchronise all processes of an MPI_COMM_WORLD like a barrier.
//
// Reported are the completion time of Init and the waiting time of Finalize. Processes start at different times, so
// waiting in Init is no property of the program and is left out.
//
// Needs: Enter and Leave of the first Init and Finalize of these processes.
// Source: docs/METRICS.md, "Wait at Finalize".
#include "analysis/waits/pattern.hpp"

namespace tarry {

void init_finalize(const CollectiveOperation& instance) {
  wait_at_barrier(instance);
  if (instance.kind() != CollectiveKind::kInit) return;
  for (std::size_t i = 0; i < instance.size(); ++i) instance.found(i).wait = 0;
}

}  // namespace tarry
