// list_topologies.hpp -- the grids and graphs that processes stand in, for tarry archive info.
#pragma once

#include <string>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// One line for each, of the first ten.
std::vector<std::string> list_topologies(const Definitions& definitions);

/// Prints a line for each rank in each of them: communicator (- for the hardware), rank, and `at` its coordinates, or
/// `from` its sources and `to` its destinations.
void print_places(const Definitions& definitions);

}  // namespace tarry
