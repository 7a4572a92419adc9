// comm_table.cpp -- names and numbers of communicators.
#include "measure/mpi/comm_table.hpp"

#include <algorithm>
#include <atomic>

#include "measure/core/runtime.hpp"
#include "measure/mpi/handle_table.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/topologies.hpp"

namespace tarry::measure {
namespace {

// Set in the upper half of a uid: only this process knows the communicator by it.
constexpr std::uint64_t kLocalUidBit = std::uint64_t{1} << 63;

std::mutex g_mutex;
CommInfo g_world;
std::atomic<std::uint32_t> g_named_comms = 0;

// Never destroyed: MPI may be called while the program ends.
HandleTable<MPI_Comm, CommInfo>& comms() {
  static auto* const table = new HandleTable<MPI_Comm, CommInfo>;
  return *table;
}

CommInfo look_at(MPI_Comm comm) {
  CommInfo info;
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  PMPI_Comm_rank(comm, &info.rank);
  PMPI_Comm_size(comm, &info.size);
  if (is_inter) PMPI_Comm_remote_size(comm, &info.remote_size);
  info.is_inter = is_inter;
  return info;
}

CommInfo add_definition(MPI_Comm comm, CommInfo info, std::uint64_t uid, CommId parent, const char* name) {
  Communicator definition;
  definition.uid = uid;
  definition.parent = parent;
  definition.rank = static_cast<std::uint32_t>(info.rank);
  definition.size = static_cast<std::uint32_t>(info.size);
  definition.is_inter = info.is_inter;
  info.id = definitions().add_communicator(name, definition);
  if (!info.is_inter) define_topology(comm, info.id, info.rank);
  const CallLock lock(g_mutex);
  if (CommInfo* stale = comms().find(comm)) comms().remove(comm, stale);
  comms().add(comm, info);
  return info;
}

// The two groups of an inter-communicator agree without a common member: a reduction hands each group the values of the
// other one, and a second one hands them back. The smaller proposal is the name.
std::uint64_t agree_between_groups(MPI_Comm comm, int rank) {
  const std::uint64_t proposal = rank == 0 ? next_comm_uid() : 0;
  std::uint64_t theirs = 0, ours = 0;
  PMPI_Allreduce(&proposal, &theirs, 1, MPI_UINT64_T, MPI_MAX, comm);
  PMPI_Allreduce(&theirs, &ours, 1, MPI_UINT64_T, MPI_MAX, comm);
  return std::min(ours, theirs);
}

std::uint64_t agree_on_uid(MPI_Comm comm, const CommInfo& info) {
  if (info.is_inter) return agree_between_groups(comm, info.rank);
  std::uint64_t uid = info.rank == 0 ? next_comm_uid() : 0;
  if (info.size > 1) PMPI_Bcast(&uid, 1, MPI_UINT64_T, 0, comm);
  return uid;
}

}  // namespace

std::uint64_t next_comm_uid() {
  return (static_cast<std::uint64_t>(g_world.rank) << 32) | (g_named_comms.fetch_add(1) + 1);
}

void define_world(int rank, int size) {
  g_world.rank = rank;
  g_world.size = size;
  g_world = add_definition(MPI_COMM_WORLD, g_world, Communicator::kWorldUid, CommId(), "MPI_COMM_WORLD");
}

CommInfo define_comm(MPI_Comm comm, std::uint64_t uid, const CommInfo* parent, bool is_foreign) {
  CommInfo info = look_at(comm);
  info.is_foreign = is_foreign;
  return add_definition(comm, info, uid, parent ? CommId(parent->id) : CommId(), "");
}

CommInfo name_comm(const CommInfo& parent, MPI_Comm created) {
  if (parent.is_foreign) return name_foreign_comm(created);
  return define_comm(created, agree_on_uid(created, look_at(created)), &parent, false);
}

CommInfo name_foreign_comm(MPI_Comm created) {
  return define_comm(created, next_comm_uid() | kLocalUidBit, nullptr, true);
}

CommInfo find_comm(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return g_world;
  {
    const CallLock lock(g_mutex);
    if (const CommInfo* known = comms().find(comm)) return *known;
  }
  if (comm == MPI_COMM_NULL) return CommInfo();
  if (comm == MPI_COMM_SELF) {
    const std::uint64_t uid = Communicator::kSelfUidBase | static_cast<std::uint32_t>(g_world.rank);
    return add_definition(comm, CommInfo(), uid, CommId(), "MPI_COMM_SELF");
  }
  return name_foreign_comm(comm);
}

std::uint32_t comm_id(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return g_world.id;
  {
    const CallLock lock(g_mutex);
    if (const CommInfo* known = comms().find(comm)) return known->id;
  }
  return find_comm(comm).id;
}

void forget_comm(MPI_Comm comm) {
  const CallLock lock(g_mutex);
  if (CommInfo* known = comms().find(comm)) comms().remove(comm, known);
}

}  // namespace tarry::measure
