// open_team.hpp -- what a thread knows of the teams of OpenMP that it is in, or was.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/units.hpp"
#include "measure/core/thread_slots.hpp"

namespace tarry {
struct PathNode;
}

namespace tarry::measure {

/// Of a team of OpenMP: when its master left it and joined it; 0: not yet.
struct TeamTimes {
  std::atomic<Ticks> ended = 0, joined = 0;
};

/// The team of OpenMP that a worker thread is in. It may learn late, or never, that the team has ended.
struct OpenTeam {
  TeamTimes* times = nullptr;
  std::uint64_t number = 0;  // in the events
  PathNode* path = nullptr;  // of its parallel region
};

/// A parallel region that a thread has left and that may not have been joined yet.
struct PendingJoin {
  TeamTimes* times = nullptr;
  PathNode* path = nullptr;
  Ticks left = 0;
};
inline constexpr int kMostPendingJoins = 4;  // of a thread: of teams that others have forked

/// What a thread keeps of its teams.
struct ThreadTeams {
  OpenTeam open;
  PendingJoin pending_joins[kMostPendingJoins];
};
inline constexpr ThreadSlot<ThreadTeams, 128> kThreadTeams;

}  // namespace tarry::measure
