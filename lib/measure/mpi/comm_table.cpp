// comm_table.cpp -- names and numbers of communicators.
#include "measure/mpi/comm_table.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "base/flat_map.hpp"
#include "defs/comm_uid.hpp"
#include "measure/core/runtime.hpp"
#include "measure/mpi/handle_table.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/topologies.hpp"

namespace tarry::measure {
namespace {

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

void put_entry(MPI_Comm comm, const CommInfo& info) {
  const CallLock lock(g_mutex);
  if (CommInfo* stale = comms().find(comm)) comms().remove(comm, stale);
  comms().add(comm, info);
}

CommInfo add_definition(MPI_Comm comm, CommInfo info, std::uint64_t uid, CommId parent, const char* name) {
  Communicator definition;
  definition.uid = uid;
  definition.parent = parent;
  definition.rank = static_cast<std::uint32_t>(info.rank);
  definition.size = static_cast<std::uint32_t>(info.size);
  definition.is_inter = info.is_inter;
  info.uid = uid;
  info.id = definitions().add_communicator(name, definition);
  info.own_group = info.is_inter ? parent.value : info.id;
  if (!info.is_inter) define_topology(comm, info.id, info.rank);
  put_entry(comm, info);
  return info;
}

// The name this process gives the next communicator it names; unique in the job.
std::uint64_t next_comm_uid() {
  return (static_cast<std::uint64_t>(g_world.rank) << 32) | (g_named_comms.fetch_add(1) + 1);
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

// Takes the group.
bool is_in_world(MPI_Group group) {
  static const MPI_Group world = [] {
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    return all;
  }();
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size)), world_ranks(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (size > 0) PMPI_Group_translate_ranks(group, size, ranks.data(), world, world_ranks.data());
  PMPI_Group_free(&group);
  return std::find(world_ranks.begin(), world_ranks.end(), MPI_UNDEFINED) == world_ranks.end();
}

// An inter-communicator may lead out of the job. Both groups are looked at, so that all members find the same.
bool leads_outside(MPI_Comm comm) {
  MPI_Group own = MPI_GROUP_NULL, remote = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &own);
  PMPI_Comm_remote_group(comm, &remote);
  const bool is_own_inside = is_in_world(own), is_remote_inside = is_in_world(remote);
  return !is_own_inside || !is_remote_inside;
}

// The parent of an inter-communicator is another one in each of its groups: so unification tells their members apart.
CommId parent_of(const CommInfo& created, const CommInfo& parent) {
  return CommId(created.is_inter ? parent.own_group : parent.id);
}

CommInfo define_foreign(MPI_Comm comm, CommInfo info) {
  info.is_foreign = true;
  return add_definition(comm, info, next_comm_uid() | comm_uid::kOutsideBit, CommId(), "");
}

}  // namespace

void define_world(int rank, int size) {
  g_world.rank = rank;
  g_world.size = size;
  g_world = add_definition(MPI_COMM_WORLD, g_world, Communicator::kWorldUid, CommId(), "MPI_COMM_WORLD");
}

CommInfo name_comm(const CommInfo& parent, MPI_Comm created) {
  const CommInfo info = look_at(created);
  if (parent.is_foreign || (info.is_inter && leads_outside(created))) return define_foreign(created, info);
  return add_definition(created, info, agree_on_uid(created, info), parent_of(info, parent), "");
}

std::uint64_t begin_duplicate(MPI_Comm parent) {
  const CommInfo info = find_comm(parent);
  const CallLock lock(g_mutex);
  CommInfo* known = comms().find(parent);
  const std::uint64_t number = known ? ++known->duplicates : 0;
  constexpr std::uint64_t kBit = comm_uid::kDuplicateBit;
  return (mix_bits(info.uid ^ mix_bits(number)) & (kBit - 1)) | kBit;
}

CommInfo define_duplicate(const CommInfo& parent, MPI_Comm created, std::uint64_t uid) {
  const CommInfo info = look_at(created);
  if (parent.is_foreign) return define_foreign(created, info);
  return add_definition(created, info, uid, parent_of(info, parent), "");
}

bool find_known_comm(MPI_Comm comm, CommInfo& found) {
  const CallLock lock(g_mutex);
  const CommInfo* known = comms().find(comm);
  if (known) found = *known;
  return known;
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
  return define_foreign(comm, look_at(comm));
}

bool find_known_comm(MPI_Comm comm, std::uint32_t& id, int& peers) {
  if (comm == MPI_COMM_WORLD) {
    id = g_world.id;
    peers = g_world.size;
    return true;
  }
  const CallLock lock(g_mutex);
  const CommInfo* known = comms().find(comm);
  if (!known) return false;
  id = known->id;
  peers = known->peers();
  return true;
}

std::uint32_t comm_id(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return g_world.id;
  {
    const CallLock lock(g_mutex);
    if (const CommInfo* known = comms().find(comm)) return known->id;
  }
  return find_comm(comm).id;
}

void remember_comm(MPI_Comm comm, const CommInfo& info) { put_entry(comm, info); }

void forget_comm(MPI_Comm comm) {
  const CallLock lock(g_mutex);
  if (CommInfo* known = comms().find(comm)) comms().remove(comm, known);
}

}  // namespace tarry::measure
