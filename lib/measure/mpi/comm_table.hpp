// comm_table.hpp -- the communicators of this process and their numbers in its events.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"
#include "measure/core/meetings.hpp"
#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

struct CommInfo {
  CommId id{0};         // in the definitions of this process
  CommId own_group{0};  // of an inter-communicator: the number of one that the local group was taken from
  std::uint64_t uid = 0;
  std::uint32_t creations = 0;  // of others from it
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
CommId comm_id(MPI_Comm comm);

// The same for a handle that may be wrong: false if it is not known. MPI is not asked.
bool find_known_comm(MPI_Comm comm, CommInfo& found);
bool find_known_comm(MPI_Comm comm, CommId& id, int& peers);

/// Defines MPI_COMM_WORLD as number 0; its processes have the numbers from `first` on in the archive.
void define_world(WorldRank first, int rank, int size);

// Members of a communicator agree on its name. As a rule they find it without communication. A call that makes a
// communicator may succeed for some of them only, and the others would not answer.

/// Starts the creation of communicators from `parent`, by a call in which all its members take part; returns what their
/// names are made from. Members start creations in the same order. 0 for a parent that is not known.
std::uint64_t begin_creation(MPI_Comm parent);

/// Defines a communicator that has been made so. If it has members outside the job, the name is known to this process
/// only. `parent`: what its members were taken from.
CommInfo define_created(const CommInfo& parent, MPI_Comm created, std::uint64_t creation);

/// A second definition of a communicator, in a call in which all its members take part; MPI has no handle of it. Its
/// members find the name as those of a new communicator.
CommInfo define_double(MPI_Comm comm);

/// Names and defines a communicator in a call that its own members alone take part in, and all of them. They talk to
/// each other, unless there are members outside the job.
CommInfo name_comm(const CommInfo& parent, MPI_Comm created);

/// The same for an inter-communicator between the members of `own` and others, who may or may not be recorded.
CommInfo name_met(MPI_Comm own, MPI_Comm created);

/// The same where `root` of `own` has met one of the others at a port or over a socket.
CommInfo name_connected(MPI_Comm own, MPI_Comm created, int root, Handshake& handshake);

/// The same between the members of `own` and processes that they have spawned, or that have spawned them. True if both
/// sides know that the recorder is in all members; false: it may not.
CommInfo name_spawned(MPI_Comm own, MPI_Comm created, bool are_all_there);

/// For processes that have been spawned, and know that the recorder is in the others, but are not recorded after all.
void decline_meeting(MPI_Comm parent);

/// The program has given it this name.
void note_comm_name(MPI_Comm comm, const char* name);

/// What forget_comm() has removed is still there.
void remember_comm(MPI_Comm comm, const CommInfo& info);

/// Its handle may be given to another communicator from now on.
void forget_comm(MPI_Comm comm);

}  // namespace tarry::measure
