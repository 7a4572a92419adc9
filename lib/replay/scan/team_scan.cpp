// team_scan.cpp -- records of forks and teams of OpenMP, and visits of parallel regions.
#include "replay/scan/team_scan.hpp"

#include <algorithm>
#include <memory>

namespace tarry {
namespace {

void add(std::vector<Ticks>& times, PathIndex path, Ticks time) {
  if (path >= times.size()) times.resize(path + 1, 0);
  times[path] += time;
}

}  // namespace

// Time before the fork stays with the serial part.
void TeamScan::fork(Ticks time) {
  thread_.credit(time);
  fork_position_ = thread_.logical.log.mark();
  is_forking_ = has_to_begin_own_team_ = true;
  open_forks_.push_back(thread_.rank.forks.next_id());
  thread_.rank.forks.push_back(
      {.fork_time = time, .join_time = time, .path = thread_.open.path(), .thread = thread_.number});
  tell_moving();
}

// The time from the end of the parallel region to the join belongs to the region's call path.
void TeamScan::join(Ticks time) {
  if (open_forks_.empty()) return;
  Fork& fork = thread_.rank.forks[open_forks_.back()];
  fork.join_time = time;
  if (last_parallel_.fork == open_forks_.back()) charge_join(time);
  fork.join_position = thread_.logical.log.mark();
  fork.is_joined = true;
  is_forking_ = has_to_begin_own_team_ = false;
  open_forks_.pop_back();
  tell_moving();
}

void TeamScan::charge_join(Ticks join_time) {
  const Ticks join = std::max<Ticks>(0, join_time - last_parallel_.leave);
  const Ticks counted_join = thread_.logical.counted(last_parallel_.leave, last_parallel_.leave + join);
  add(thread_.logical.management_time, last_parallel_.path, counted_join);
  thread_.times.make_room(last_parallel_.path);
  if (is_own(last_parallel_.fork)) {
    // The clock runs on at the thread that has forked, where this time would go to the surrounding region.
    thread_.credit(join_time);
    if (!thread_.open.is_empty()) thread_.times.move(thread_.open.path(), last_parallel_.path, join, counted_join);
  } else {
    thread_.times.move(kNoPath, last_parallel_.path, join, counted_join);
  }
  last_parallel_.fork = {};
  tell_moving();
}

bool TeamScan::is_early(const Event& event) const {
  if (event.kind == EventKind::kThreadTeamBegin) {
    const TeamId team = record_of<record::ThreadTeamBegin>(event).team;
    return !has_to_begin_own_team_ && !thread_.process.team_forks.find(team.value);
  }
  if (!current_fork().is_valid() || is_own(current_fork())) return false;
  const Fork& fork = thread_.rank.forks[current_fork()];
  return fork.thread != kMaster && !fork.is_joined;
}

// The number is known from now on.
ForkIndex TeamScan::begin_own_team(TeamId team) {
  const ForkIndex fork = open_forks_.empty() ? ForkIndex() : open_forks_.back();
  has_to_begin_own_team_ = false;
  TeamFork& known = thread_.process.team_forks.insert(team.value, {});
  if (known.fork.is_valid()) known.is_repeated = true;
  thread_.rank.repeats_teams |= known.is_repeated;
  known.fork = fork;
  return fork;
}

// By its number, or, where that tells nothing, the latest fork of the master before it.
ForkIndex TeamScan::fork_of(TeamId team, Ticks begin_time) const {
  const TeamFork* known = thread_.process.team_forks.find(team.value);
  if (known && !known->is_repeated && known->fork.is_valid()) return known->fork;
  const auto later = [](Ticks time, const Fork& fork) { return time < fork.fork_time; };
  const auto begin = thread_.rank.forks.begin();
  const auto after =
      std::upper_bound(begin, begin + static_cast<std::ptrdiff_t>(thread_.process.master_forks), begin_time, later);
  return after == begin ? ForkIndex() : ForkIndex(static_cast<std::size_t>(after - begin - 1));
}

void TeamScan::begin_team(Ticks time, const record::ThreadTeamBegin& begin) {
  const bool has_forked = thread_.is_master() || has_to_begin_own_team_;
  teams_.push_back({has_forked ? begin_own_team(begin.team) : fork_of(begin.team, time), begin.team.value});
}

void TeamScan::end_team() {
  if (teams_.empty()) return;
  if (last_parallel_.fork.is_valid() && !is_own(last_parallel_.fork))
    charge_join(thread_.rank.forks[last_parallel_.fork].join_time);
  teams_.pop_back();
}

void TeamScan::enter_parallel(const OpenVisit& visit) {
  open_parallels_.push_back(thread_.open.depth() - 1);
  if (current_fork().is_valid()) charge_fork(visit, current_fork());
}

// The time from the fork to the start of the parallel region belongs to the region's call path. At the thread that
// has forked it has been credited to the surrounding region.
void TeamScan::charge_fork(const OpenVisit& visit, ForkIndex fork) {
  const Ticks time = std::max<Ticks>(0, visit.enter - thread_.rank.forks[fork].fork_time);
  const Ticks counted_time = thread_.logical.counted(visit.enter - time, visit.enter);
  add(thread_.logical.fork_time, visit.path, counted_time);
  add(thread_.logical.management_time, visit.path, counted_time);
  thread_.times.move(is_own(fork) ? thread_.rank.tree[visit.path].parent : kNoPath, visit.path, time, counted_time);
  is_forking_ = false;
  tell_moving();
  if (thread_.process.keeps.barrier_seconds) begin_seconds(visit, thread_.rank.forks[fork].fork_time);
  thread_.logical.parallels.push_back({.enter = visit.enter,
                                       .leave = visit.enter,
                                       .path = visit.path,
                                       .fork = fork,
                                       .position = is_own(fork) ? fork_position_ : visit.position,
                                       .calls_before = static_cast<std::uint32_t>(thread_.rank.calls.size()),
                                       .event = thread_.ordinal()});
}

void TeamScan::begin_seconds(const OpenVisit& visit, Ticks fork_time) {
  std::unique_ptr<BarrierSeconds>& seconds = thread_.logical.barrier_seconds;
  if (!seconds)
    seconds =
        std::make_unique<BarrierSeconds>(thread_.process.source.definitions().clock, thread_.logical.barriers.budget());
  seconds->begin_region(visit.path, fork_time, visit.enter);
}

void TeamScan::leave_parallel(const OpenVisit& visit, Ticks time) {
  open_parallels_.pop_back();
  if (thread_.logical.barrier_seconds) thread_.logical.barrier_seconds->end_region();
  if (teams_.empty()) return;
  last_parallel_ = {.fork = current_fork(), .leave = time, .path = visit.path};
  tell_moving();
  if (!last_parallel_.fork.is_valid()) return;
  Rows<ParallelEntry>& entries = thread_.logical.parallels;
  for (std::size_t i = entries.size(); i-- > 0;)
    if (entries[i].fork == last_parallel_.fork) {
      entries[i].leave = time;
      return;
    }
}

}  // namespace tarry
