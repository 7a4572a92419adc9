// launched_process.hpp -- what a launcher of MPI tells any process that it starts about its place among the others.
#pragma once

#include <optional>

namespace tarry {

/// The rank as text; nullptr if no launcher has started this process.
const char* launched_rank();

/// How many processes there are. Nothing if no launcher tells; it may have started several then.
std::optional<long> launched_processes();

}  // namespace tarry
