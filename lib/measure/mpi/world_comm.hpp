// world_comm.hpp -- the communicator through which the recorder talks to the other processes of this world.
//
// A program with sessions (MPI 4) may never have MPI_COMM_WORLD. Then the recorder opens a session of its own.
//
// Calls: may block.
#pragma once

#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

/// That of the recorder's own session while there is one, else MPI_COMM_WORLD.
MPI_Comm world_comm();

/// The group of the processes of this world. Belongs to this module.
MPI_Group world_group();

/// All processes of the world open their first session: makes the communicator. False if the MPI library cannot.
bool open_own_session();

/// MPI goes on without MPI_COMM_WORLD, or is started again, by whoever likes: makes the group, and no communicator.
void open_own_session_alone();

bool has_own_session();

/// Gives back what of MPI's is kept here, before MPI ends.
void close_own_session();

}  // namespace tarry::measure
