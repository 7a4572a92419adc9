// clock_offsets.hpp -- how the clocks of different nodes lie to each other.
//
// Calls: may block.
#pragma once

#include <string>

#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/outcomes.hpp"

namespace tarry::measure {

/// Measures the offset of this node's clock to that of process 0 and records it. Collective over world_comm(). On one
/// node nothing is measured. `domain` is clock_domain(). Time: log2 of the number of nodes, times 64 round trips.
void measure_clock_offsets(const std::string& domain, int rank);

/// Gives back what of MPI's is kept for that. Collective, and the last that is called of all here.
void forget_clock_partners();

/// Measurements at the start and the end are not all: compare_clocks() makes another one every `seconds` (0: never).
/// To be called once, at the same time by all, after the first measurement.
void compare_clocks_every(double seconds);

namespace detail {
inline bool g_compares_clocks = false;
void compare_now_and_then();
}  // namespace detail

/// Behind a collective operation on `comm`: a call that has failed alone must not wait for the others here.
inline void compare_clocks(MPI_Comm comm, int outcome) {
  if (detail::g_compares_clocks && comm == MPI_COMM_WORLD && has_taken_part(outcome)) [[unlikely]]
    detail::compare_now_and_then();
}

}  // namespace tarry::measure
