// omp_thread.cpp -- OpenMP records of one thread.
#include "measure/openmp/omp_thread.hpp"

#include <utility>

#include "measure/core/runtime.hpp"
#include "measure/openmp/team_end.hpp"
#include "measure/core/lock_orders.hpp"

namespace tarry::measure {
namespace {

constexpr Paradigm kParadigm = Paradigm::kOpenMp;
constexpr int kMaxTeams = 32;         // nested in one thread
constexpr int kMaxConstructs = 1024;  // open in one thread
constexpr int kMaxBlocks = 256;       // of these, that can hold code
constexpr int kWordBits = 64;

// Of the calling thread. Each open construct has a bit: in `entered` if it was recorded, in `blocks` if it holds code.
struct OmpThread {
  Team* teams[kMaxTeams];
  PathNode* paths[kMaxTeams];  // of their parallel regions in the summary
  std::uint32_t masters;       // a bit for each team
  int team_count;
  std::uint64_t entered[kMaxConstructs / kWordBits];
  std::uint64_t blocks[kMaxBlocks / kWordBits];
  int construct_count;
  std::uint32_t kernel_teams;  // a bit for each team: it belongs to a kernel
  int kernels;                 // the thread is inside of
};

__thread OmpThread t_omp __attribute__((tls_model("initial-exec"))) = {};

__thread std::uint64_t t_task_count __attribute__((tls_model("initial-exec"))) = 0;

std::atomic<std::uint64_t> g_team_number = 0;
std::atomic<Team*> g_free_teams = nullptr;

// Stands for all teams inside of kernels.
Team g_kernel_team;

// Puts the teams from `first` to `last` in front of the free ones.
void add_free_teams(Team* first, Team* last) {
  last->next_free = g_free_teams.load(std::memory_order_relaxed);
  while (!g_free_teams.compare_exchange_weak(last->next_free, first, std::memory_order_acq_rel)) continue;
}

// Takes all free teams and puts back all but one, so that no thread sees one come back. Whoever finds none makes one.
Team* take_team() {
  Team* const team = g_free_teams.exchange(nullptr, std::memory_order_acquire);
  if (!team) return new Team;
  if (Team* const rest = team->next_free) {
    Team* last = rest;
    while (last->next_free) last = last->next_free;
    add_free_teams(rest, last);
  }
  return team;
}

void drop_team(Team* team) {
  if (team->users.fetch_sub(1, std::memory_order_acq_rel) == 1) add_free_teams(team, team);
}

// Of a team that is nested too deeply nothing is known.
bool knows_team() { return t_omp.team_count > 0 && t_omp.team_count <= kMaxTeams; }

Team* innermost() { return knows_team() ? t_omp.teams[t_omp.team_count - 1] : nullptr; }

bool is_master_of(int team) { return t_omp.masters >> team & 1; }
bool is_master() { return knows_team() && is_master_of(t_omp.team_count - 1); }

Thread* own_thread() { return is_recording() && t_omp.kernels == 0 ? t_thread : nullptr; }

// Workers wait for the next team inside the barrier of the last one: its end is when the master left it.
Ticks time_of_leave(const Thread& thread) {
  const Ticks time = now();
  const Team* team = innermost();
  return team && !is_master() ? time_of_end(thread, *team, time) : time;
}

void set_bit(std::uint64_t* words, int at, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << at % kWordBits;
  if (value) words[at / kWordBits] |= bit;
  else words[at / kWordBits] &= ~bit;
}

bool has_bit(const std::uint64_t* words, int at) { return words[at / kWordBits] >> at % kWordBits & 1; }

bool is_in_block() {
  const int innermost = t_omp.construct_count - 1;
  return innermost >= 0 && innermost < kMaxBlocks && has_bit(t_omp.blocks, innermost);
}

// When; 0 if it is not recorded. `enter`: as in the recorder.
Ticks enter_region(RegionId region, bool is_block, bool (*enter)(Thread&, RegionId, Ticks)) {
  const int at = t_omp.construct_count++;
  if (at >= kMaxConstructs) return 0;
  set_bit(t_omp.entered, at, false);
  if (at < kMaxBlocks) set_bit(t_omp.blocks, at, is_block);
  Thread* thread = own_thread();
  if (!thread) return 0;
  const Ticks time = now();
  if (!enter(*thread, region, time)) return 0;
  set_bit(t_omp.entered, at, true);
  thread->is_in_block = is_block;
  return time;
}

// What is left out is part of what is around.
void enter_nothing() {
  const bool is_block = is_in_block();
  const int at = t_omp.construct_count++;
  if (at < kMaxConstructs) set_bit(t_omp.entered, at, false);
  if (at < kMaxBlocks) set_bit(t_omp.blocks, at, is_block);
}

// The innermost construct is one of locks: whether it is recorded.
bool is_lock_recorded() {
  const int innermost = t_omp.construct_count - 1;
  return innermost < 0 || innermost >= kMaxConstructs || has_bit(t_omp.entered, innermost);
}

// Closes the innermost construct: whether its enter was recorded.
bool close_construct() {
  if (t_omp.construct_count == 0) return false;
  const int at = --t_omp.construct_count;
  return at < kMaxConstructs && has_bit(t_omp.entered, at);
}

void leave_region(Thread& thread, Ticks time) {
  leave(thread, time);
  thread.is_in_block = is_in_block();
}

// The time since the fork is part of the parallel region, which was entered at that time.
void count_fork(Thread& thread, const Team& team, int member, Ticks entered) {
  if (!thread.summarises) return;
  PathNode* const path = t_omp.paths[member] = thread.profile.open_path();
  thread.profile.mark_parallel();
  if (!is_master_of(member)) kThreadTeams.of(thread).open.path = path;
  thread.profile.add_management(*path, Transfer::kForkTime, entered - team.forked);
}

// What is not joined by now is so later, as a rule before the thread joins another team. False if there is some.
bool count_pending_joins(Thread& thread) {
  bool are_all_counted = true;
  for (PendingJoin& pending : kThreadTeams.of(thread).pending_joins) {
    if (!pending.times) continue;
    if (pending.times->joined.load(std::memory_order_acquire)) {
      count_join(thread, pending);
      drop_team(static_cast<Team*>(std::exchange(pending, {}).times));
    } else {
      are_all_counted = false;
    }
  }
  return are_all_counted;
}

std::atomic<bool> g_has_omp_threads = false, g_is_omp_told = false;

}  // namespace

bool has_pending_joins(Thread& thread) { return !count_pending_joins(thread); }

Team* fork_team(RegionId region, std::uint32_t size) {
  Thread* thread = is_recording() ? current_thread() : nullptr;
  if (!thread || !thread->gate.is_open()) return nullptr;
  Team* team = take_team();
  team->users.store(1);
  team->ended.store(0);
  team->joined.store(0);
  team->of_master = {};
  team->is_league = false;
  team->place = nullptr;
  team->region = region;
  team->number = g_team_number.fetch_add(1, std::memory_order_relaxed) + 1;
  find_functions(*thread);
  team->forked = now();
  put(*thread, team->forked, record::ThreadFork{.paradigm = kParadigm, .team_size = size});
  team->path = thread->summarises ? thread->profile.mark_fork() : 0;
  thread->is_between_teams = true;
  return team;
}

void join_team(Team* team) {
  if (!team || team == &g_kernel_team) return;
  if (Thread* thread = own_thread()) {
    const Ticks time = now();
    put(*thread, time, record::ThreadJoin{.paradigm = kParadigm});
    team->joined.store(time, std::memory_order_release);
    count_join(*thread, team->of_master);
    thread->is_between_teams = false;
  }
  drop_team(team);
}

void begin_member(Team* team, bool is_master) {
  const int at = t_omp.team_count++;
  if (at >= kMaxTeams) return;
  t_omp.teams[at] = nullptr;
  t_omp.masters = (t_omp.masters & ~(1u << at)) | std::uint32_t{is_master} << at;
  if (team == &g_kernel_team) {
    t_omp.kernel_teams |= 1u << at;
    ++t_omp.kernels;
  }
  if (!team || team == &g_kernel_team) return;
  Thread* thread = nullptr;
  if (is_recording()) thread = t_thread ? t_thread : adopt_worker();
  if (!thread) return;
  team->users.fetch_add(1, std::memory_order_relaxed);
  t_omp.teams[at] = team;
  t_omp.paths[at] = nullptr;
  if (!is_master) {
    count_pending_joins(*thread);
    kThreadTeams.of(*thread).open = {team, team->number};
    if (thread->summarises && thread->gate.is_open()) thread->profile.begin_team(team->path);
  }
  put(*thread, now(), record::ThreadTeamBegin{.team = TeamId(team->number)});
  thread->is_between_teams = false;
  // Some compilers make a function of the region, from which this is called.
  if (const Ticks entered = enter_region(team->region, true, enter_around_functions))
    count_fork(*thread, *team, at, entered);
}

void end_member() {
  if (t_omp.team_count == 0) return;
  Team* team = innermost();
  const bool is_entered = team && close_construct();
  if (Thread* thread = team ? own_thread() : nullptr) {
    const Ticks time = time_of_leave(*thread);
    if (is_entered) leave_region(*thread, time);
    put(*thread, time, record::ThreadTeamEnd{.team = TeamId(team->number)});
    const PendingJoin join{team, t_omp.paths[t_omp.team_count - 1], time};
    if (is_master()) {
      thread->is_between_teams = true;
      team->of_master = join;
      team->ended.store(time, std::memory_order_release);
    } else {
      kThreadTeams.of(*thread).open = {};
      thread->profile.end_team();
      if (expect_join(*thread, join)) team->users.fetch_add(1, std::memory_order_relaxed);  // until then
    }
  }
  const int at = --t_omp.team_count;
  if (at < kMaxTeams && t_omp.kernel_teams >> at & 1) {
    t_omp.kernel_teams &= ~(1u << at);
    --t_omp.kernels;
  }
  if (team) drop_team(team);
}

void begin_kernel() { ++t_omp.kernels; }
void end_kernel() { --t_omp.kernels; }
Team* kernel_team() { return t_omp.kernels > 0 ? &g_kernel_team : nullptr; }

void enter_construct(Construct construct, RegionId region) {
  if (!region.is_valid()) return enter_nothing();
  enter_region(region, holds_code(construct), is_function(construct) ? enter : enter_place);
}

void enter_explicit_task(RegionId region) {
  if (!region.is_valid()) return enter_nothing();
  enter_region(region, true, enter_task);
}

void leave_construct() {
  if (!close_construct()) return;
  if (Thread* thread = own_thread()) leave_region(*thread, time_of_leave(*thread));
}

void record_acquired(std::uint64_t lock) {
  if (Thread* thread = is_lock_recorded() ? own_thread() : nullptr)
    put(*thread, now(), record::ThreadAcquireLock{.paradigm = kParadigm, .lock = lock, .order = next_lock_order(lock)});
}

void record_released(std::uint64_t lock) {
  if (Thread* thread = is_lock_recorded() ? own_thread() : nullptr)
    put(*thread, now(), record::ThreadReleaseLock{.paradigm = kParadigm, .lock = lock, .order = 0});
}

void record_work(std::uint32_t queue, std::uint64_t work) {
  Thread* const thread = own_thread();
  if (!thread) return;
  const Ticks time = now();
  put(*thread, time, record::Attribute{.attribute = kQueueAttribute, .value = queue});
  if (work != 0) put(*thread, time, record::Attribute{.attribute = kWorkAttribute, .value = work});
}

template <class Record>
void record_task(std::uint64_t thread, std::uint64_t number) {
  if (is_construct_left_out(Construct::kTask)) return;
  const Team* team = innermost();
  if (Thread* own = own_thread())
    put(*own, now(), Record{.team = TeamId(team ? team->number : 0), .thread = thread, .generation = number});
}
template void record_task<record::ThreadTaskCreate>(std::uint64_t, std::uint64_t);
template void record_task<record::ThreadTaskSwitch>(std::uint64_t, std::uint64_t);
template void record_task<record::ThreadTaskComplete>(std::uint64_t, std::uint64_t);

const void* place_of_team() {
  const Team* team = innermost();
  return team ? team->place : nullptr;
}

bool is_in_league() {
  const Team* team = innermost();
  return team && team->is_league;
}

void note_omp_thread() { g_has_omp_threads.store(true, std::memory_order_relaxed); }
void note_omp_told() { g_is_omp_told.store(true, std::memory_order_relaxed); }
bool has_unseen_teams() { return g_has_omp_threads.load() && !g_is_omp_told.load() && !is_omp_used(); }

bool is_omp_used() { return g_team_number.load(std::memory_order_relaxed) > 0; }

bool is_in_team() { return innermost() != nullptr; }

std::uint64_t count_task() { return ++t_task_count; }

bool is_omp_recorded() { return own_thread() && (t_omp.team_count == 0 || innermost()); }

}  // namespace tarry::measure
