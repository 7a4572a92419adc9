// clock_offsets.hpp -- how the clocks of different nodes lie to each other.
#pragma once

#include <string>

namespace tarry::measure {

/// Measures the offset of this node's clock to that of process 0 and records it. Collective over MPI_COMM_WORLD. On one
/// node nothing is measured. `domain` is clock_domain().
void measure_clock_offsets(const std::string& domain, int rank);

}  // namespace tarry::measure
