// window_table.cpp -- windows and the groups of their epochs.
#include "measure/mpi/window_table.hpp"

#include <vector>

#include "measure/core/runtime.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/handle_table.hpp"
#include "measure/mpi/process_numbers.hpp"

namespace tarry::measure {
namespace {

// Never destroyed, as all tables here: MPI may be called while the program ends.
HandleTable<MPI_Win, WindowState*>& windows() {
  static auto* const table = new HandleTable<MPI_Win, WindowState*>;
  return *table;
}

struct KnownGroups {
  RecorderLock lock;
  std::vector<std::vector<WorldRank>> members;  // by number
  FlatMap<std::uint64_t, std::uint32_t> of_hash;
};

KnownGroups& groups() {
  static auto* const known = new KnownGroups;
  return *known;
}

}  // namespace

RecorderLock& windows_lock() {
  static constinit RecorderLock lock;
  return lock;
}

WindowState* find_window(MPI_Win window) {
  WindowState** found = windows().find(window);
  return found ? *found : nullptr;
}

WindowState& define_window(MPI_Win window, MPI_Comm comm, bool is_allocated) {
  auto* state = new WindowState;
  state->id = definitions().add_window("", comm_id(comm));
  state->is_allocated = is_allocated;
  remember_window(window, state);
  return *state;
}

void note_window_name(MPI_Win window, const char* name) {
  WindowId id;
  with_window(window, [&id](const WindowState& state) { id = state.id; });
  if (id.is_valid()) definitions().name_window(id, name);
}

void remember_window(MPI_Win window, WindowState* state) {
  const CallLock lock(windows_lock());
  if (WindowState** stale = windows().find(window)) windows().remove(window, stale);
  windows().add(window, state);
}

WindowState* forget_window(MPI_Win window) {
  const CallLock lock(windows_lock());
  WindowState** found = windows().find(window);
  if (!found) return nullptr;
  WindowState* state = *found;
  windows().remove(window, found);
  return state;
}

GroupId group_id(MPI_Group group) {
  static __thread std::vector<WorldRank>* scratch = nullptr;
  if (!scratch) scratch = new std::vector<WorldRank>;
  numbers_of(group, *scratch);
  std::uint64_t hash = scratch->size();
  for (const WorldRank member : *scratch) hash = mix_bits(hash ^ member.value);
  KnownGroups& known = groups();
  const CallLock lock(known.lock);
  const std::uint32_t* found = known.of_hash.find(hash);
  if (found && known.members[*found] == *scratch) return GroupId(*found);
  const GroupId id = definitions().add_group("", *scratch);
  known.members.resize(id.value + 1);
  known.members[id.value] = *scratch;
  known.of_hash.insert(hash) = id.value;
  return id;
}

}  // namespace tarry::measure
