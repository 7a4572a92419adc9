// omp_thread.cpp -- OpenMP records of one thread.
#include "measure/openmp/omp_thread.hpp"

#include "measure/core/runtime.hpp"
#include "measure/threads/lock_orders.hpp"

namespace tarry::measure {
namespace {

constexpr auto kParadigm = static_cast<unsigned>(Paradigm::kOpenMp);
constexpr int kMaxTeams = 32;       // nested in one thread
constexpr int kMaxConstructs = 64;  // open in one thread

// Of the calling thread. `entered` has a bit for each open construct that was recorded.
struct OmpThread {
  Team* teams[kMaxTeams];
  bool is_master[kMaxTeams];
  int team_count;
  std::uint64_t entered;
  int construct_count;
};

__thread OmpThread t_omp __attribute__((tls_model("initial-exec"))) = {};

std::atomic<std::uint64_t> g_team_number = 0;
std::atomic<Team*> g_free_teams = nullptr;
std::atomic_flag g_is_taking = ATOMIC_FLAG_INIT;

// One at a time takes from the list (whoever finds it taken makes a new one), so that no thread sees one come back.
Team* take_team() {
  Team* team = nullptr;
  if (!g_is_taking.test_and_set(std::memory_order_acquire)) {
    team = g_free_teams.load(std::memory_order_acquire);
    while (team && !g_free_teams.compare_exchange_weak(team, team->next_free)) continue;
    g_is_taking.clear(std::memory_order_release);
  }
  return team ? team : new Team;
}

void drop_team(Team* team) {
  if (team->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  team->next_free = g_free_teams.load(std::memory_order_relaxed);
  while (!g_free_teams.compare_exchange_weak(team->next_free, team)) continue;
}

Team* innermost() {
  const int count = t_omp.team_count < kMaxTeams ? t_omp.team_count : kMaxTeams;
  return count > 0 ? t_omp.teams[count - 1] : nullptr;
}

bool is_master() {
  return t_omp.team_count > 0 && t_omp.team_count <= kMaxTeams && t_omp.is_master[t_omp.team_count - 1];
}

// Workers wait for the next team inside the barrier of the last one: its end is when the master left it.
Ticks time_of_leave() {
  const Ticks time = now();
  const Team* team = innermost();
  if (!team || is_master()) return time;
  const Ticks ended = team->ended.load(std::memory_order_acquire);
  return ended != 0 && ended < time ? ended : time;
}

Thread* own_thread() { return is_recording() ? t_thread : nullptr; }

}  // namespace

Team* fork_team(std::uint32_t region, std::uint32_t size) {
  Thread* thread = is_recording() ? current_thread() : nullptr;
  if (!thread || !thread->gate.is_open()) return nullptr;
  Team* team = take_team();
  team->users.store(1);
  team->ended.store(0);
  team->region = region;
  team->number = g_team_number.fetch_add(1, std::memory_order_relaxed) + 1;
  put(*thread, EventKind::kThreadFork, now(), kParadigm, size);
  return team;
}

void join_team(Team* team) {
  if (!team) return;
  if (Thread* thread = own_thread()) put(*thread, EventKind::kThreadJoin, now(), kParadigm);
  drop_team(team);
}

void begin_member(Team* team, bool is_master) {
  const int at = t_omp.team_count++;
  if (at >= kMaxTeams) return;
  t_omp.teams[at] = nullptr;
  t_omp.is_master[at] = is_master;
  if (!team) return;
  Thread* thread = nullptr;
  if (is_recording()) thread = t_thread ? t_thread : adopt_worker();
  if (!thread) return;
  team->users.fetch_add(1, std::memory_order_relaxed);
  t_omp.teams[at] = team;
  if (!is_master) thread->open_team = {&team->ended, team->number};
  put(*thread, EventKind::kThreadTeamBegin, now(), team->number);
  enter_construct(team->region);
}

void end_member() {
  if (t_omp.team_count == 0) return;
  Team* team = innermost();
  const Ticks time = time_of_leave();
  if (team) leave_construct();
  if (Thread* thread = team ? own_thread() : nullptr) {
    put(*thread, EventKind::kThreadTeamEnd, time, team->number);
    if (is_master()) team->ended.store(time, std::memory_order_release);
    else thread->open_team = {};
  }
  --t_omp.team_count;
  if (team) drop_team(team);
}

void enter_construct(std::uint32_t region) {
  const int at = t_omp.construct_count++;
  if (at >= kMaxConstructs) return;
  t_omp.entered &= ~(std::uint64_t{1} << at);
  Thread* thread = own_thread();
  if (thread && enter(*thread, region, now())) t_omp.entered |= std::uint64_t{1} << at;
}

void leave_construct() {
  if (t_omp.construct_count == 0) return;
  const int at = --t_omp.construct_count;
  if (at >= kMaxConstructs || !(t_omp.entered >> at & 1)) return;
  if (Thread* thread = own_thread()) leave(*thread, time_of_leave());
}

void record_acquired(std::uint64_t lock) {
  if (Thread* thread = own_thread())
    put(*thread, EventKind::kThreadAcquireLock, now(), kParadigm, lock, next_lock_order(lock));
}

void record_released(std::uint64_t lock) {
  if (Thread* thread = own_thread()) put(*thread, EventKind::kThreadReleaseLock, now(), kParadigm, lock, 0u);
}

void record_task(EventKind kind, std::uint64_t thread, std::uint64_t number) {
  const Team* team = innermost();
  if (Thread* own = own_thread()) put(*own, kind, now(), team ? team->number : 0, thread, number);
}

const void* place_of_team() {
  const Team* team = innermost();
  return team ? team->place : nullptr;
}

bool is_omp_used() { return g_team_number.load(std::memory_order_relaxed) > 0; }

bool is_omp_recorded() { return own_thread() && (t_omp.team_count == 0 || innermost()); }

}  // namespace tarry::measure
