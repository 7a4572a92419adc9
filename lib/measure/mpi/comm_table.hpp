// comm_table.hpp -- the communicators of this process and their numbers in its events.
#pragma once

#include <cstdint>

#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

struct CommInfo {
  std::uint32_t id = 0;  // in the definitions of this process
  std::uint32_t own_group = 0;  // of an inter-communicator: the number of one that the local group was taken from
  std::uint64_t uid = 0;
  std::uint32_t duplicates = 0;  // started by MPI_Comm_idup
  int rank = 0;
  int size = 1;         // of the local group
  int remote_size = 0;  // inter-communicators
  bool is_inter = false;
  bool is_foreign = false;  // has members that are not recorded: they must not be talked to

  /// Members messages of collectives go to.
  int peers() const { return is_inter ? remote_size : size; }
};

/// A copy of what is known; a communicator that was never seen is defined under a name of this process only. For a
/// handle that MPI has accepted.
CommInfo find_comm(MPI_Comm comm);

/// Its number alone, which is all that a message needs.
std::uint32_t comm_id(MPI_Comm comm);

// The same for a handle that may be wrong: false if it is not known. MPI is not asked.
bool find_known_comm(MPI_Comm comm, CommInfo& found);
bool find_known_comm(MPI_Comm comm, std::uint32_t& id, int& peers);

/// Defines MPI_COMM_WORLD as number 0; its processes have the numbers from `first` on in the archive.
void define_world(std::uint32_t first, int rank, int size);

/// Gives a new communicator a name all its members agree on (collective over it), and defines it. If it has members
/// outside the job, nobody is talked to and the name is known to this process only. `parent`: what its members were
/// taken from.
CommInfo name_comm(const CommInfo& parent, MPI_Comm created);

/// The same for an inter-communicator between the members of `own` and others, who may or may not be recorded.
CommInfo name_met(MPI_Comm own, MPI_Comm created);

/// The same between the members of `own` and processes that they have spawned, or that have spawned them. True if both
/// sides know that the recorder is in all members; false: it may not.
CommInfo name_spawned(MPI_Comm own, MPI_Comm created, bool are_all_there);

/// For processes that have been spawned, and know that the recorder is in the others, but are not recorded after all.
void decline_meeting(MPI_Comm parent);

/// Starts a duplicate of the parent, which gets its name later: returns it. All members find the same without a word to
/// each other, since they start the duplicates of a communicator in the same order.
std::uint64_t begin_duplicate(MPI_Comm parent);

/// Defines such a duplicate.
CommInfo define_duplicate(const CommInfo& parent, MPI_Comm created, std::uint64_t uid);

/// What forget_comm() has removed is still there.
void remember_comm(MPI_Comm comm, const CommInfo& info);

/// Its handle may be given to another communicator from now on.
void forget_comm(MPI_Comm comm);

}  // namespace tarry::measure
