// shmem_teams.hpp -- teams of OpenSHMEM 1.5: which processes are in them.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"

namespace tarry::measure {

/// shmem_team_t: as large as a pointer in all libraries.
using ShmemTeam = std::intptr_t;

/// The window of a team's processes; not valid if it is not known who they are.
WindowId window_of_team(ShmemTeam team);

/// A team that has been made from every `stride`-th process of another one.
void note_team(ShmemTeam parent, int start, int stride, int size, ShmemTeam made);

/// The same from the rows (x) or the columns (y) of a grid that is `columns` wide.
void note_grid_teams(ShmemTeam parent, int columns, ShmemTeam x, ShmemTeam y);

/// Its handle may be given to another one from now on.
void forget_team(ShmemTeam team);

}  // namespace tarry::measure
