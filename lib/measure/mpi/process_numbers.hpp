// process_numbers.hpp -- the numbers that processes have in the archive, and who is behind a group of MPI.
//
// In its own MPI_COMM_WORLD a process finds the numbers of the others by their ranks. Of processes in other worlds it
// knows those it has met.
//
// Calls: may block.
#pragma once

#include <vector>

#include "defs/definitions.hpp"
#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

/// The processes of MPI_COMM_WORLD have the numbers from `first` on.
void number_own_world(WorldRank first, int rank);

WorldRank own_number();

/// The members of the remote group of `inter` have these numbers.
void note_remote_numbers(MPI_Comm inter, std::vector<WorldRank> numbers);

/// The numbers of a group's members; none for one that this process has not met.
void numbers_of(MPI_Group group, std::vector<WorldRank>& numbers);

/// That of a group's first member; frees the group.
WorldRank number_of_first(MPI_Group group);

/// True if all members of the group are of the own world; frees the group.
bool is_in_own_world(MPI_Group group);

/// Gives back what of MPI's is kept here, before MPI ends.
void forget_met_processes();

}  // namespace tarry::measure
