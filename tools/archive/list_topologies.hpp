// list_topologies.hpp -- the grids and graphs that processes form, for tarry archive info.
#pragma once

#include <string>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// One line for each, of the first ten.
std::vector<std::string> list_topologies(const Definitions& definitions);

/// Prints a line for each rank in each of them, with communicator (- for the hardware) and rank. Its coordinates follow
/// behind `at`, or its sources behind `from` and its destinations behind `to`.
void print_places(const Definitions& definitions);

}  // namespace tarry
