// comm_table.cpp -- names and numbers of communicators.
#include "measure/mpi/comm_table.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "defs/comm_uid.hpp"
#include "measure/core/runtime.hpp"
#include "measure/mpi/handle_table.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/process_numbers.hpp"
#include "measure/mpi/topologies.hpp"
#include "measure/mpi/world_comm.hpp"

namespace tarry::measure {
namespace {

RecorderLock g_comms_lock;
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
  const CallLock lock(g_comms_lock);
  if (CommInfo* stale = comms().find(comm)) comms().remove(comm, stale);
  comms().add(comm, info);
}

// `comm` tells the topology.
CommInfo add_unlisted(MPI_Comm comm, CommInfo info, std::uint64_t uid, CommId parent, const char* name) {
  Communicator definition;
  definition.uid = uid;
  definition.parent = parent;
  definition.rank = static_cast<std::uint32_t>(info.rank);
  definition.size = static_cast<std::uint32_t>(info.size);
  definition.is_inter = info.is_inter;
  info.uid = uid;
  info.id = definitions().add_communicator(name, definition);
  info.own_group = info.is_inter ? parent : info.id;
  if (!info.is_inter) define_topology(comm, info.id, info.rank);
  return info;
}

CommInfo add_definition(MPI_Comm comm, const CommInfo& found, std::uint64_t uid, CommId parent, const char* name) {
  const CommInfo info = add_unlisted(comm, found, uid, parent, name);
  put_entry(comm, info);
  return info;
}

// The name this process gives the next communicator it names; unique in the job.
std::uint64_t next_comm_uid() { return comm_uid::given_by(own_number().value, g_named_comms.fetch_add(1) + 1); }

// The two groups of an inter-communicator agree without a common member. A reduction hands each group the values of the
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

// Both groups are looked at, so that all members find the same.
bool leads_to_other_worlds(MPI_Comm inter) {
  MPI_Group own = MPI_GROUP_NULL, remote = MPI_GROUP_NULL;
  PMPI_Comm_group(inter, &own);
  PMPI_Comm_remote_group(inter, &remote);
  const bool is_own_inside = is_in_own_world(own), is_remote_inside = is_in_own_world(remote);
  return !is_own_inside || !is_remote_inside;
}

// The parent of an inter-communicator is another one in each of its groups: so unification tells their members apart.
CommId parent_of(const CommInfo& created, const CommInfo& parent) {
  return created.is_inter ? parent.own_group : parent.id;
}

std::uint64_t next_foreign_uid() { return next_comm_uid() | comm_uid::kOutsideBit; }

CommInfo define_foreign(MPI_Comm comm, CommInfo info) {
  info.is_foreign = true;
  return add_definition(comm, info, next_foreign_uid(), CommId(), "");
}

// A creation makes one communicator for each of several groups: the least number of the first processes tells them
// apart.
WorldRank first_member(MPI_Comm comm, const CommInfo& info) {
  MPI_Group own = MPI_GROUP_NULL, remote = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &own);
  const WorldRank first = number_of_first(own);
  if (!info.is_inter) return first;
  PMPI_Comm_remote_group(comm, &remote);
  return std::min(first, number_of_first(remote));
}

CommInfo define_named(const CommInfo& parent, MPI_Comm created, const CommInfo& info) {
  return add_definition(created, info, agree_on_uid(created, info), parent_of(info, parent), "");
}

bool has_met_first_of_others(MPI_Comm inter) {
  MPI_Group remote = MPI_GROUP_NULL;
  PMPI_Comm_remote_group(inter, &remote);
  return number_of_first(remote).is_valid();
}

// The first processes of both groups ask each other, if they have met before: then both know that. They tell the
// members of their groups.
bool are_others_recorded(const CommInfo& own, MPI_Comm own_comm, MPI_Comm inter) {
  constexpr int kTag = 0;  // the communicator is new
  std::int32_t here = !own.is_foreign, there = 0;
  if (own.rank == 0 && has_met_first_of_others(inter))
    PMPI_Sendrecv(&here, 1, MPI_INT32_T, 0, kTag, &there, 1, MPI_INT32_T, 0, kTag, inter, MPI_STATUS_IGNORE);
  if (!here) return false;
  PMPI_Bcast(&there, 1, MPI_INT32_T, 0, own_comm);
  return there;
}

// False if some of the others are not recorded after all.
bool exchange_numbers(MPI_Comm inter, int remote_size, WorldRank number) {
  std::vector<WorldRank> theirs(static_cast<std::size_t>(remote_size));
  static_assert(sizeof number == sizeof(std::uint32_t));
  PMPI_Allgather(&number, 1, MPI_UINT32_T, theirs.data(), 1, MPI_UINT32_T, inter);
  if (!std::ranges::all_of(theirs, &WorldRank::is_valid)) return false;
  note_remote_numbers(inter, std::move(theirs));
  return true;
}

}  // namespace

void define_world(WorldRank first, int rank, int size) {
  number_own_world(first, rank);
  g_world.rank = rank;
  g_world.size = size;
  g_world = add_unlisted(world_comm(), g_world, comm_uid::of_world(first.value), CommId(), "MPI_COMM_WORLD");
  put_entry(MPI_COMM_WORLD, g_world);
}

CommInfo name_comm(const CommInfo& parent, MPI_Comm created) {
  const CommInfo info = look_at(created);
  return parent.is_foreign ? define_foreign(created, info) : define_named(parent, created, info);
}

CommInfo name_met(MPI_Comm own_comm, MPI_Comm created) {
  const CommInfo own = find_comm(own_comm);
  if (!own.is_foreign && !leads_to_other_worlds(created)) return define_named(own, created, look_at(created));
  return name_spawned(own_comm, created, are_others_recorded(own, own_comm, created));
}

CommInfo name_connected(MPI_Comm own_comm, MPI_Comm created, int root, Handshake& handshake) {
  const CommInfo own = find_comm(own_comm);
  if (own.is_foreign) return define_foreign(created, look_at(created));
  if (!leads_to_other_worlds(created)) return define_named(own, created, look_at(created));
  std::int32_t is_met = own.rank == root && handshake.is_met();
  PMPI_Bcast(&is_met, 1, MPI_INT32_T, root, own_comm);
  return name_spawned(own_comm, created, is_met);
}

CommInfo name_spawned(MPI_Comm own_comm, MPI_Comm created, bool are_all_there) {
  const CommInfo info = look_at(created);
  if (!are_all_there || !exchange_numbers(created, info.remote_size, own_number()))
    return define_foreign(created, info);
  return define_named(find_comm(own_comm), created, info);
}

void decline_meeting(MPI_Comm parent) { exchange_numbers(parent, look_at(parent).remote_size, WorldRank()); }

std::uint64_t begin_creation(MPI_Comm parent) {
  const CallLock lock(g_comms_lock);
  CommInfo* const known = comms().find(parent);
  return known ? mix_bits(known->uid ^ mix_bits(++known->creations)) : 0;
}

CommInfo define_created(const CommInfo& parent, MPI_Comm created, std::uint64_t creation) {
  const CommInfo info = look_at(created);
  if (parent.is_foreign) return define_foreign(created, info);
  const std::uint64_t uid = comm_uid::of_creation(mix_bits(creation ^ first_member(created, info).value));
  return add_definition(created, info, uid, parent_of(info, parent), "");
}

CommInfo define_double(MPI_Comm comm) {
  const CommInfo info = find_comm(comm);
  if (info.is_foreign) return add_unlisted(comm, info, next_foreign_uid(), CommId(), "");
  const std::uint64_t creation = begin_creation(comm);
  return add_unlisted(comm, info, comm_uid::of_creation(mix_bits(creation ^ first_member(comm, info).value)),
                      parent_of(info, info), "");
}

bool find_known_comm(MPI_Comm comm, CommInfo& found) {
  const CallLock lock(g_comms_lock);
  const CommInfo* known = comms().find(comm);
  if (known) found = *known;
  return known;
}

CommInfo find_comm(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return g_world;
  {
    const CallLock lock(g_comms_lock);
    if (const CommInfo* known = comms().find(comm)) return *known;
  }
  if (comm == MPI_COMM_NULL) return CommInfo();
  if (comm == MPI_COMM_SELF) {
    const std::uint64_t uid = comm_uid::of_self(own_number().value);
    return add_definition(comm, CommInfo(), uid, CommId(), "MPI_COMM_SELF");
  }
  return define_foreign(comm, look_at(comm));
}

bool find_known_comm(MPI_Comm comm, CommId& id, int& peers) {
  if (comm == MPI_COMM_WORLD) {
    id = g_world.id;
    peers = g_world.size;
    return true;
  }
  const CallLock lock(g_comms_lock);
  const CommInfo* known = comms().find(comm);
  if (!known) return false;
  id = known->id;
  peers = known->peers();
  return true;
}

void note_comm_name(MPI_Comm comm, const char* name) { definitions().name_communicator(comm_id(comm), name); }

CommId comm_id(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return g_world.id;
  {
    const CallLock lock(g_comms_lock);
    if (const CommInfo* known = comms().find(comm)) return known->id;
  }
  return find_comm(comm).id;
}

void remember_comm(MPI_Comm comm, const CommInfo& info) { put_entry(comm, info); }

void forget_comm(MPI_Comm comm) {
  const CallLock lock(g_comms_lock);
  if (CommInfo* known = comms().find(comm)) comms().remove(comm, known);
}

}  // namespace tarry::measure
