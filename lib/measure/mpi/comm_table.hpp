// comm_table.hpp -- the communicators of this process and their numbers in its events.
#pragma once

#include <cstdint>

#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

struct CommInfo {
  std::uint32_t id = 0;  // in the definitions of this process
  int rank = 0;
  int size = 1;         // of the local group
  int remote_size = 0;  // inter-communicators
  bool is_inter = false;
  bool is_foreign = false;  // has members that are not recorded: they must not be talked to

  /// Members messages of collectives go to.
  int peers() const { return is_inter ? remote_size : size; }
};

/// A copy of what is known; a communicator that was never seen is defined under a name of this process only.
CommInfo find_comm(MPI_Comm comm);

/// Its number alone, which is all that a message needs.
std::uint32_t comm_id(MPI_Comm comm);

/// Defines MPI_COMM_WORLD as number 0.
void define_world(int rank, int size);

/// Gives a new communicator a name all its members agree on (collective over it), and defines it.
CommInfo name_comm(const CommInfo& parent, MPI_Comm created);

/// The same without a word to the other members.
CommInfo name_foreign_comm(MPI_Comm created);

/// The name this process gives the next communicator it names; unique in the job.
std::uint64_t next_comm_uid();

/// Defines a communicator whose name is known.
CommInfo define_comm(MPI_Comm comm, std::uint64_t uid, const CommInfo* parent, bool is_foreign);

/// Its handle may be given to another communicator from now on.
void forget_comm(MPI_Comm comm);

}  // namespace tarry::measure
