// shmem_teams.cpp -- teams of OpenSHMEM 1.5: which processes are in them.
#include "measure/shmem/shmem_teams.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "measure/core/recorder_lock.hpp"
#include "measure/shmem/shmem_call.hpp"
#include "measure/shmem/shmem_world.hpp"

namespace tarry::measure {
namespace {

struct Members {
  int start = 0, stride = 1, size = 0;  // in the world
};

struct KnownTeam {
  ShmemTeam team;
  Members members;
};

RecorderLock g_teams_lock;

// Never destroyed: the program may use teams while it ends.
std::vector<KnownTeam>& known_teams() {
  static auto* const teams = new std::vector<KnownTeam>;
  return *teams;
}

int size_of_team(ShmemTeam team) {
  TARRY_SHMEM_FUNCTION("shmem_team_n_pes", kFunction);
  return call_next<int>(function, team);
}
int own_place_in(ShmemTeam team) {
  TARRY_SHMEM_FUNCTION("shmem_team_my_pe", kFunction);
  return call_next<int>(function, team);
}

// Teams that the program has not made have all processes, or those of one node.
std::optional<Members> members_of(ShmemTeam team) {
  {
    const Locked lock(g_teams_lock);
    for (const KnownTeam& known : known_teams())
      if (known.team == team) return known.members;
  }
  const int size = size_of_team(team);
  if (size < 1 || !is_process(size - 1) || is_process(size)) return {};
  return Members{.size = size};
}

void remember_team(ShmemTeam team, const Members& members) {
  const Locked lock(g_teams_lock);
  known_teams().push_back({team, members});
}

}  // namespace

WindowId window_of_team(ShmemTeam team) {
  const std::optional<Members> members = members_of(team);
  return members ? shmem_set(members->start, members->stride, members->size) : WindowId();
}

void note_team(ShmemTeam parent, int start, int stride, int size, ShmemTeam made) {
  const std::optional<Members> from = members_of(parent);
  if (!from || size_of_team(made) != size) return;  // of another process
  remember_team(made, {from->start + from->stride * start, from->stride * stride, size});
}

void note_grid_teams(ShmemTeam parent, int columns, ShmemTeam x, ShmemTeam y) {
  const std::optional<Members> from = members_of(parent);
  const int own = own_place_in(parent);
  if (!from || own < 0 || columns < 1) return;
  const int row = own / columns, column = own % columns;
  const int rows_here = (from->size - column + columns - 1) / columns;
  note_team(parent, row * columns, 1, std::min(columns, from->size - row * columns), x);
  note_team(parent, column, columns, rows_here, y);
}

void forget_team(ShmemTeam team) {
  const Locked lock(g_teams_lock);
  std::erase_if(known_teams(), [team](const KnownTeam& known) { return known.team == team; });
}

}  // namespace tarry::measure
