// world_comm.cpp -- the communicator through which the recorder talks to the other processes of this world.
#include "measure/mpi/world_comm.hpp"

#include "measure/mpi/mpi_call.hpp"

namespace tarry::measure {
namespace {

RecorderLock g_world_lock;
MPI_Comm g_comm{};    // of the own session; zero, which is no handle: there is none
MPI_Group g_group{};  // the same

void forget_group() {
  if (g_group) PMPI_Group_free(&g_group);
  g_group = {};
}

#ifdef TARRY_MPI_HAS_Session_init
MPI_Session g_session{};

bool open_session() {
  forget_group();
  if (PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &g_session) != MPI_SUCCESS) {
    g_session = {};
    return false;
  }
  if (PMPI_Group_from_session_pset(g_session, "mpi://WORLD", &g_group) == MPI_SUCCESS) return true;
  g_group = {};
  return false;
}
#endif

}  // namespace

MPI_Comm world_comm() { return g_comm ? g_comm : MPI_COMM_WORLD; }

MPI_Group world_group() {
  const CallLock lock(g_world_lock);
  if (!g_group) PMPI_Comm_group(world_comm(), &g_group);
  return g_group;
}

#ifdef TARRY_MPI_HAS_Session_init
bool open_own_session() {
  if (!open_session()) return false;
  if (PMPI_Comm_create_from_group(g_group, "tarry", MPI_INFO_NULL, MPI_ERRORS_RETURN, &g_comm) == MPI_SUCCESS)
    return true;
  g_comm = {};
  return false;
}

void open_own_session_alone() { open_session(); }

bool has_own_session() { return g_session; }

void close_own_session() {
  forget_group();
  if (g_comm) PMPI_Comm_free(&g_comm);
  g_comm = {};
  if (g_session) PMPI_Session_finalize(&g_session);
  g_session = {};
}
#else
bool open_own_session() { return false; }
void open_own_session_alone() {}
bool has_own_session() { return false; }
void close_own_session() { forget_group(); }
#endif

}  // namespace tarry::measure
