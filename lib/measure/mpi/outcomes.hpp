// outcomes.hpp -- what the error of a call tells about its effects.
//
// Calls: may block.
#pragma once

#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

// Codes are compared, not classified: MPI_Error_class() is an error itself for the codes that callbacks make up.

/// True if the process has taken part in the communication, although what it has received may have been too long:
/// others count on it. Wrong arguments end a call before, as do errors of MPI's own.
inline bool has_taken_part(int outcome) {
  return outcome == MPI_SUCCESS || error_class_of(outcome) == MPI_ERR_TRUNCATE;
}

/// True if statuses were filled in although the call reports an error of one of them.
inline bool has_statuses(int outcome) { return outcome == MPI_SUCCESS || error_class_of(outcome) == MPI_ERR_IN_STATUS; }

}  // namespace tarry::measure
