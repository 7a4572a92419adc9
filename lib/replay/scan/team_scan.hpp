// team_scan.hpp -- the part of the pass over the events that follows forks, teams and parallel regions of one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Gives time around a parallel region to its call path. Leaves: LogicalRank::forks, and of the thread parallels,
/// fork_time and management_time.
class [[gnu::visibility("hidden")]] TeamScan {
 public:
  explicit TeamScan(ScannedThread & thread) : thread_(thread) {}

  /// Whether an event has to wait for another thread. A member of a team that another thread forks needs to know when
  /// and where, and later when it is joined.
  bool has_to_wait(const Event& event) const {
    if (event.kind != EventKind::kThreadTeamBegin && event.kind != EventKind::kThreadTeamEnd) [[likely]]
      return false;
    return waits_ && is_early(event);
  }
  /// From now on no event has to.
  void stop_waiting() { waits_ = false; }

  void fork(Ticks time);
  void join(Ticks time);
  void begin_team(Ticks time, const record::ThreadTeamBegin& begin);
  void end_team();

  /// The innermost region is a parallel region that has just been entered.
  void enter_parallel(const OpenVisit& visit);
  /// It has been left.
  void leave_parallel(const OpenVisit& visit, Ticks time);

  /// The fork whose team the thread is in; none if it is in none, or the fork is not known.
  ForkIndex current_fork() const { return teams_.empty() ? ForkIndex() : teams_.back().fork; }
  /// Number of that team in the events.
  std::uint64_t current_team() const { return teams_.empty() ? 0 : teams_.back().number; }

  /// Where a worker's regions hang: the place of the fork.
  PathIndex base_path() const {
    return thread_.is_master() || !current_fork().is_valid() ? kNoPath : thread_.rank.forks[current_fork()].path;
  }

  /// Explicit tasks lie below the parallel region around them, or else below the outermost open region, wherever the
  /// thread runs them. The recorder's summary has the same paths.
  PathIndex path_of_tasks() const {
    if (thread_.open.is_empty()) return base_path();
    return thread_.open[open_parallels_.empty() ? 0 : open_parallels_.back()].path;
  }

 private:
  struct JoinedTeam {
    ForkIndex fork;
    std::uint64_t number;  // of the team, in the events
  };

  struct LastParallel {
    ForkIndex fork;  // none: its join has been charged
    Ticks leave = 0;
    PathIndex path = kNoPath;
  };

  bool is_early(const Event& event) const;
  ForkIndex begin_own_team(TeamId team);
  ForkIndex fork_of(TeamId team, Ticks begin) const;
  void charge_fork(const OpenVisit& visit, ForkIndex fork);
  void charge_join(Ticks join_time);
  void begin_seconds(const OpenVisit& visit, Ticks fork_time);

  // Whether this thread has forked the team.
  bool is_own(ForkIndex fork) const {
    return fork.is_valid() ? thread_.rank.forks[fork].thread == thread_.number : thread_.is_master();
  }

  void tell_moving() { thread_.times.set_moving(is_forking_ || last_parallel_.fork.is_valid()); }

  ScannedThread& thread_;
  std::vector<ForkIndex> open_forks_;        // of this thread
  std::vector<JoinedTeam> teams_;            // that it is in
  std::vector<std::size_t> open_parallels_;  // levels of parallel regions among the open regions
  LogPosition fork_position_ = 0;            // of the latest fork
  bool is_forking_ = false;                  // it has forked, its parallel region has not begun
  bool has_to_begin_own_team_ = false;       // it has forked, its team has not begun
  bool waits_ = true;
  LastParallel last_parallel_;
};

}  // namespace tarry
