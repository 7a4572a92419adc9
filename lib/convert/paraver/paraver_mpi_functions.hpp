// paraver_mpi_functions.hpp -- the types and values that BSC's tools give to functions of MPI.
#pragma once

#include <optional>
#include <string_view>

#include "convert/paraver/paraver_numbers.hpp"

namespace tarry::paraver {

/// Nothing for a function that has no value there. A function with large counts (MPI_Send_c) has the value of its kin.
std::optional<RegionNumbers> mpi_function_numbers(std::string_view plain_name);

}  // namespace tarry::paraver
