// omp_adapter.cpp -- what remains of teams of OpenMP when threads and the recording end.
#include <utility>

#include "defs/unify.hpp"
#include "measure/core/runtime.hpp"
#include "measure/openmp/omp_thread.hpp"
#include "measure/openmp/team_end.hpp"

namespace tarry::measure {
namespace {

// A worker may still wait for its next team inside the last one, which ended when its master left it.
Ticks close_team(Thread& thread, Ticks time) {
  const OpenTeam team = kThreadTeams.of(thread).open;
  if (!team.times) return time;
  time = time_of_end(thread, *team.times, time);
  while (thread.depth > 0) leave_guarded(thread, time);
  if (thread.traces) thread.events.put(time, record::ThreadTeamEnd{.team = TeamId(team.number)});
  if (thread.summarises) expect_join(thread, {team.times, team.path, time});
  return time;
}

// A thread may have ended before its team was joined.
void count_last_joins() {
  for (Thread* thread = first_thread(); thread; thread = thread->next)
    for (PendingJoin& pending : kThreadTeams.of(*thread).pending_joins)
      if (pending.times) count_join(*thread, std::exchange(pending, {}));
}

void choose_what_is_recorded(const ProcessFacts&) { choose_constructs(); }

void describe_teams() {
  describe_constructs();
  if (has_unseen_teams()) definitions().add_property(kUnseenOpenMpKey, "1");
}

}  // namespace

constinit const Adapter kOmpAdapter = {.starting = choose_what_is_recorded,
                                       .thread_ends = close_team,
                                       .needs_ended = has_pending_joins,
                                       .threads_have_ended = count_last_joins,
                                       .ending = describe_teams};

}  // namespace tarry::measure
