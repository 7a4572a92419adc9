// team_end.hpp -- when a team of OpenMP ended and was joined, for its members' records and counts.
//
// Calls: may block.
#pragma once

#include <algorithm>

#include "measure/core/recorder.hpp"
#include "measure/openmp/open_team.hpp"

namespace tarry::measure {

/// When a worker leaves a team that has ended by `time`: when its master did, if it has recorded nothing since.
inline Ticks time_of_end(const Thread& thread, const TeamTimes& team, Ticks time) {
  const Ticks ended = team.ended.load(std::memory_order_acquire);
  if (ended == 0 || ended >= time) return time;
  return thread.summarises ? std::max(ended, thread.profile.last_time()) : ended;
}

/// A parallel region whose team has been joined gets the time until then, if that is known.
inline void count_join(Thread& thread, const PendingJoin& pending) {
  if (!thread.summarises || !pending.path) return;
  if (const Ticks joined = pending.times->joined.load(std::memory_order_acquire))
    thread.profile.add_management(*pending.path, Transfer::kJoinTime, joined - pending.left);
}

/// Notes a region whose team will be joined. False if it has no call path, or too many are: then that goes uncounted.
inline bool expect_join(Thread& thread, const PendingJoin& join) {
  for (PendingJoin& pending : kThreadTeams.of(thread).pending_joins)
    if (!pending.times && join.path) {
      pending = join;
      return true;
    }
  return false;
}

}  // namespace tarry::measure
