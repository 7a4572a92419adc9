// pomp2_adapter.cpp -- OpenMP programs whose source OPARI2 has instrumented (POMP2): any compiler, here GCC and
// libgomp.
//
// OPARI2 puts a call before and behind each construct and hands over a text that says which construct it is and where.
// See docs/THREADS.md for what is seen.
#include <cstring>
#include <string>
#include <string_view>

#include "base/arrays/flat_map.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/core/pomp_text.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/sanitizer_hooks.hpp"
#include "measure/openmp/omp_thread.hpp"

// Of the OpenMP runtime that the program brings along.
extern "C" {
#pragma weak omp_get_level
#pragma weak omp_get_ancestor_thread_num
#pragma weak omp_get_thread_num
#pragma weak omp_get_team_num
#pragma weak omp_get_max_threads
#pragma weak omp_init_lock
#pragma weak omp_destroy_lock
#pragma weak omp_set_lock
#pragma weak omp_unset_lock
#pragma weak omp_test_lock
#pragma weak omp_init_nest_lock
#pragma weak omp_destroy_nest_lock
#pragma weak omp_set_nest_lock
#pragma weak omp_unset_nest_lock
#pragma weak omp_test_nest_lock
#pragma weak omp_init_lock_
#pragma weak omp_destroy_lock_
#pragma weak omp_set_lock_
#pragma weak omp_unset_lock_
#pragma weak omp_test_lock_
#pragma weak omp_init_nest_lock_
#pragma weak omp_destroy_nest_lock_
#pragma weak omp_set_nest_lock_
#pragma weak omp_unset_nest_lock_
#pragma weak omp_test_nest_lock_
int omp_get_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_thread_num(void);
int omp_get_team_num(void);
int omp_get_max_threads(void);
void omp_init_lock(void* lock);
void omp_destroy_lock(void* lock);
void omp_set_lock(void* lock);
void omp_unset_lock(void* lock);
int omp_test_lock(void* lock);
void omp_init_nest_lock(void* lock);
void omp_destroy_nest_lock(void* lock);
void omp_set_nest_lock(void* lock);
void omp_unset_nest_lock(void* lock);
int omp_test_nest_lock(void* lock);
// The same for Fortran.
void omp_init_lock_(void* lock);
void omp_destroy_lock_(void* lock);
void omp_set_lock_(void* lock);
void omp_unset_lock_(void* lock);
int omp_test_lock_(void* lock);
void omp_init_nest_lock_(void* lock);
void omp_destroy_nest_lock_(void* lock);
void omp_set_nest_lock_(void* lock);
void omp_unset_nest_lock_(void* lock);
int omp_test_nest_lock_(void* lock);
}

namespace tarry::measure {
namespace {

/// A construct in the source; what the program's handles point to. Never destroyed.
struct Place {
  Construct construct = Construct::kParallel;
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t lock = 0;                                    // of critical constructs: the same for those of one name
  std::atomic<std::uint32_t> regions[kConstructCount] = {};  // region + 1; 0: not defined yet
};

RecorderLock g_places_lock;

Construct construct_of(std::string_view type) {
  constexpr struct {
    std::string_view type;
    Construct construct;
  } table[] = {
      {"parallel", Construct::kParallel},
      {"parallelfor", Construct::kParallel},
      {"paralleldo", Construct::kParallel},
      {"parallelsections", Construct::kParallel},
      {"parallelworkshare", Construct::kParallel},
      {"for", Construct::kLoop},
      {"do", Construct::kLoop},
      {"sections", Construct::kSections},
      {"single", Construct::kSingle},
      {"master", Construct::kMaster},
      {"critical", Construct::kCritical},
      {"ordered", Construct::kOrdered},
      {"workshare", Construct::kWorkshare},
      {"barrier", Construct::kBarrier},
      {"taskwait", Construct::kTaskwait},
      {"task", Construct::kTask},
      {"taskuntied", Construct::kTask},
      {"flush", Construct::kFlush},
      {"atomic", Construct::kAtomic},
  };
  for (const auto& [name, construct] : table)
    if (name == type) return construct;
  return Construct::kParallel;
}

Place* make_place(std::string_view text) {
  auto* place = new Place;
  place->construct = construct_of(pomp_value(text, "regionType"));
  const PompStart start = pomp_start(text);
  place->file = start.file;
  place->line = start.line;
  place->lock = 1;
  for (const char c : pomp_value(text, "criticalName"))
    place->lock = mix_bits(place->lock ^ static_cast<unsigned char>(c));
  return place;
}

Place& pomp_place(void** handle, std::string_view text = {}) {
  void* known = __atomic_load_n(handle, __ATOMIC_ACQUIRE);
  if (!known) [[unlikely]] {
    const Locked lock(g_places_lock);
    known = *handle;
    if (!known) __atomic_store_n(handle, known = make_place(text), __ATOMIC_RELEASE);
  }
  return *static_cast<Place*>(known);
}

RegionId pomp_region(Place& place, Construct construct) {
  std::atomic<std::uint32_t>& region = place.regions[static_cast<int>(construct)];
  if (const std::uint32_t known = region.load(std::memory_order_acquire)) [[likely]]
    return RegionId(known - 1);
  if (!is_recording() || is_construct_left_out(construct)) return RegionId();
  const Locked lock(g_places_lock);
  if (const std::uint32_t known = region.load()) return RegionId(known - 1);
  const RegionId number = region_in_source(construct, place.file, place.line);
  region.store(number.value + 1, std::memory_order_release);
  return number;
}

void enter_pomp(void** handle, std::string_view text, Construct construct) {
  enter_construct(construct, pomp_region(pomp_place(handle, text), construct));
}

// ---- teams: which fork a new member belongs to is told by its ancestors

struct OpenFork {
  std::atomic<std::uint64_t> key{0};  // 0: free
  Team* team = nullptr;
};
constexpr int kMaxForks = 256;  // at the same time
OpenFork g_forks[kMaxForks];

std::uint64_t fork_key(const void* place, int levels) {
  const int in_league = omp_get_team_num ? omp_get_team_num() : 0;
  std::uint64_t key = mix_bits(reinterpret_cast<std::uintptr_t>(place) + static_cast<std::uint64_t>(in_league));
  for (int level = 0; level <= levels; ++level)
    key = mix_bits(key ^ static_cast<std::uint64_t>(omp_get_ancestor_thread_num(level) + 1));
  return key | 1;
}

void remember_fork(std::uint64_t key, Team* team) {
  for (OpenFork& fork : g_forks) {
    std::uint64_t free = 0;
    constexpr std::uint64_t kTaken = 2;
    if (!fork.key.compare_exchange_strong(free, kTaken)) continue;
    fork.team = team;
    return fork.key.store(key, std::memory_order_release);
  }
}

OpenFork* find_fork(std::uint64_t key) {
  for (OpenFork& fork : g_forks)
    if (fork.key.load(std::memory_order_acquire) == key) return &fork;
  return nullptr;
}

bool has_runtime() { return omp_get_level && omp_get_ancestor_thread_num && omp_get_thread_num; }

// A nested lock and a plain one differ only in the functions.
void set_lock(void* lock, void (*set)(void*), Construct construct) {
  enter_construct(construct, is_recording() ? region_at(construct, nullptr) : RegionId());
  set(lock);
  record_acquired(reinterpret_cast<std::uintptr_t>(lock));
  leave_construct();
}

void unset_lock(void* lock, void (*unset)(void*), Construct construct) {
  enter_construct(construct, is_recording() ? region_at(construct, nullptr) : RegionId());
  record_released(reinterpret_cast<std::uintptr_t>(lock));
  unset(lock);
  leave_construct();
}

int test_lock(void* lock, int (*test)(void*), Construct construct) {
  const int outcome = test(lock);
  if (!outcome) return outcome;
  enter_construct(construct, is_recording() ? region_at(construct, nullptr) : RegionId());
  record_acquired(reinterpret_cast<std::uintptr_t>(lock));
  leave_construct();
  return outcome;
}

void create_task(void** handle, std::int64_t* task, std::string_view text) {
  enter_pomp(handle, text, Construct::kTaskCreate);
  const std::uint64_t thread = is_omp_recorded() ? t_thread->number : 0;
  const std::uint64_t number = count_task();
  *task = static_cast<std::int64_t>(thread << 40 | number);
  record_task<record::ThreadTaskCreate>(thread, number);
}

void begin_task(void** handle, std::int64_t task, const void* behind_call) {
  note_outlined_code(behind_call);
  const auto number = static_cast<std::uint64_t>(task);
  record_task<record::ThreadTaskSwitch>(number >> 40, number & ((std::uint64_t{1} << 40) - 1));
  enter_explicit_task(pomp_region(pomp_place(handle), Construct::kTask));
}

// ---- what the entry points of both languages share

void fork(void** handle, int threads, std::string_view text) {
  Place& place = pomp_place(handle, text);
  if (!has_runtime() || !records_omp()) return;
  Team* team = fork_team(pomp_region(place, Construct::kParallel), static_cast<std::uint32_t>(threads));
  if (team) remember_fork(fork_key(&place, omp_get_level()), team);
  tell_released(handle);  // a sanitizer does not see that the runtime makes the team wait for this
}

void begin(void** handle, const void* behind_call) {
  if (!has_runtime()) return;
  tell_acquired(handle);
  const OpenFork* fork = is_recording() ? find_fork(fork_key(*handle, omp_get_level() - 1)) : nullptr;
  note_outlined_code(behind_call);
  begin_member(fork ? fork->team : nullptr, omp_get_thread_num() == 0);
}

void join(void** handle) {
  if (!has_runtime()) return;
  OpenFork* fork = find_fork(fork_key(*handle, omp_get_level()));
  if (!fork) return;
  Team* team = fork->team;
  fork->key.store(0, std::memory_order_release);
  join_team(team);
}

void begin_critical(void** handle) {
  record_acquired(pomp_place(handle).lock);
  enter_pomp(handle, {}, Construct::kCriticalBlock);
}

void end_critical(void** handle) {
  record_released(pomp_place(handle).lock);
  leave_construct();
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

#define TARRY_POMP2 extern "C" __attribute__((visibility("default")))
#define TARRY_BEHIND_CALL __builtin_return_address(0)

// Each entry point comes twice: for C, and for Fortran, which passes everything by reference, and the length of a text
// behind all the rest.
#define TARRY_POMP2_ENTER(name, fortran, construct)                                                                  \
  TARRY_POMP2 void POMP2_##name(void** handle, const char* text) { enter_pomp(handle, text, Construct::construct); } \
  TARRY_POMP2 void pomp2_##fortran##_(void** handle, const char* text, std::size_t length) {                         \
    enter_pomp(handle, {text, length}, Construct::construct);                                                        \
  }
#define TARRY_POMP2_CALL(name, fortran, action)                          \
  TARRY_POMP2 void POMP2_##name(void** handle) { (void)handle, action; } \
  TARRY_POMP2 void pomp2_##fortran##_(void** handle) { (void)handle, action; }

// With the task that goes on afterwards, which need not be remembered.
#define TARRY_POMP2_ENTER_TASK(name, fortran, construct)                                                             \
  TARRY_POMP2 void POMP2_##name(void** handle, std::int64_t* old_task, const char* text) {                           \
    *old_task = 0;                                                                                                   \
    enter_pomp(handle, text, Construct::construct);                                                                  \
  }                                                                                                                  \
  TARRY_POMP2 void pomp2_##fortran##_(void** handle, std::int64_t* old_task, const char* text, std::size_t length) { \
    *old_task = 0;                                                                                                   \
    enter_pomp(handle, {text, length}, Construct::construct);                                                        \
  }
#define TARRY_POMP2_LEAVE_TASK(name, fortran)                                \
  TARRY_POMP2 void POMP2_##name(void**, std::int64_t) { leave_construct(); } \
  TARRY_POMP2 void pomp2_##fortran##_(void**, std::int64_t*) { leave_construct(); }

#define TARRY_POMP2_CREATE_TASK(name, fortran)                                                             \
  TARRY_POMP2 void POMP2_##name(void** handle, std::int64_t* new_task, std::int64_t* old_task, int,        \
                                const char* text) {                                                        \
    *old_task = 0;                                                                                         \
    create_task(handle, new_task, text);                                                                   \
  }                                                                                                        \
  TARRY_POMP2 void pomp2_##fortran##_(void** handle, std::int64_t* new_task, std::int64_t* old_task, int*, \
                                      const char* text, std::size_t length) {                              \
    *old_task = 0;                                                                                         \
    create_task(handle, new_task, {text, length});                                                         \
  }
#define TARRY_POMP2_BEGIN_TASK(name, fortran)                                                                      \
  TARRY_POMP2 void POMP2_##name(void** handle, std::int64_t task) { begin_task(handle, task, TARRY_BEHIND_CALL); } \
  TARRY_POMP2 void pomp2_##fortran##_(void** handle, const std::int64_t* task) {                                   \
    begin_task(handle, *task, TARRY_BEHIND_CALL);                                                                  \
  }

TARRY_POMP2 void POMP2_Assign_handle(void** handle, const char* text) { pomp_place(handle, text); }
TARRY_POMP2 void pomp2_assign_handle_(void** handle, const char* text, std::size_t length) {
  pomp_place(handle, {text, length});
}
TARRY_POMP2 std::int64_t POMP2_Get_new_task_handle() { return 0; }

TARRY_POMP2 void POMP2_Parallel_fork(void** handle, int, int threads, std::int64_t* old_task, const char* text) {
  *old_task = 0;
  fork(handle, threads, text);
}
TARRY_POMP2 void pomp2_parallel_fork_(void** handle, int*, const int* threads, std::int64_t* old_task, const char* text,
                                      std::size_t length) {
  *old_task = 0;
  fork(handle, *threads, {text, length});
}
TARRY_POMP2_CALL(Parallel_begin, parallel_begin, begin(handle, TARRY_BEHIND_CALL))
TARRY_POMP2_CALL(Parallel_end, parallel_end, end_member())
TARRY_POMP2 void POMP2_Parallel_join(void** handle, std::int64_t) { join(handle); }
TARRY_POMP2 void pomp2_parallel_join_(void** handle, std::int64_t*) { join(handle); }

TARRY_POMP2_ENTER_TASK(Barrier_enter, barrier_enter, kBarrier)
TARRY_POMP2_LEAVE_TASK(Barrier_exit, barrier_exit)
TARRY_POMP2_ENTER_TASK(Taskwait_begin, taskwait_begin, kTaskwait)
TARRY_POMP2_LEAVE_TASK(Taskwait_end, taskwait_end)
TARRY_POMP2 void POMP2_Implicit_barrier_enter(void** handle, std::int64_t* old_task) {
  *old_task = 0;
  enter_pomp(handle, {}, Construct::kImplicitBarrier);
}
TARRY_POMP2 void pomp2_implicit_barrier_enter_(void** handle, std::int64_t* old_task) {
  POMP2_Implicit_barrier_enter(handle, old_task);
}
TARRY_POMP2_LEAVE_TASK(Implicit_barrier_exit, implicit_barrier_exit)

TARRY_POMP2_ENTER(Atomic_enter, atomic_enter, kAtomic)
TARRY_POMP2_CALL(Atomic_exit, atomic_exit, leave_construct())
TARRY_POMP2_ENTER(Flush_enter, flush_enter, kFlush)
TARRY_POMP2_CALL(Flush_exit, flush_exit, leave_construct())
TARRY_POMP2_ENTER(For_enter, do_enter, kLoop)
TARRY_POMP2_CALL(For_exit, do_exit, leave_construct())
TARRY_POMP2_ENTER(Master_begin, master_begin, kMaster)
TARRY_POMP2_CALL(Master_end, master_end, leave_construct())
TARRY_POMP2_ENTER(Section_begin, section_begin, kSection)
TARRY_POMP2_CALL(Section_end, section_end, leave_construct())
TARRY_POMP2_ENTER(Sections_enter, sections_enter, kSections)
TARRY_POMP2_CALL(Sections_exit, sections_exit, leave_construct())
TARRY_POMP2_ENTER(Single_enter, single_enter, kSingle)
TARRY_POMP2_CALL(Single_exit, single_exit, leave_construct())
TARRY_POMP2_CALL(Single_begin, single_begin, enter_pomp(handle, {}, Construct::kSingleBlock))
TARRY_POMP2_CALL(Single_end, single_end, leave_construct())
TARRY_POMP2_ENTER(Workshare_enter, workshare_enter, kWorkshare)
TARRY_POMP2_CALL(Workshare_exit, workshare_exit, leave_construct())
TARRY_POMP2_ENTER(Ordered_enter, ordered_enter, kOrdered)
TARRY_POMP2_CALL(Ordered_exit, ordered_exit, leave_construct())
TARRY_POMP2_CALL(Ordered_begin, ordered_begin, enter_pomp(handle, {}, Construct::kOrderedBlock))
TARRY_POMP2_CALL(Ordered_end, ordered_end, leave_construct())
TARRY_POMP2_ENTER(Critical_enter, critical_enter, kCritical)
TARRY_POMP2_CALL(Critical_exit, critical_exit, leave_construct())
TARRY_POMP2_CALL(Critical_begin, critical_begin, begin_critical(handle))
TARRY_POMP2_CALL(Critical_end, critical_end, end_critical(handle))

TARRY_POMP2_CREATE_TASK(Task_create_begin, task_create_begin)
TARRY_POMP2_LEAVE_TASK(Task_create_end, task_create_end)
TARRY_POMP2_BEGIN_TASK(Task_begin, task_begin)
TARRY_POMP2_CALL(Task_end, task_end, leave_construct())
TARRY_POMP2_CREATE_TASK(Untied_task_create_begin, untied_task_create_begin)
TARRY_POMP2_LEAVE_TASK(Untied_task_create_end, untied_task_create_end)
TARRY_POMP2_BEGIN_TASK(Untied_task_begin, untied_task_begin)
TARRY_POMP2_CALL(Untied_task_end, untied_task_end, leave_construct())

TARRY_POMP2 int POMP2_Lib_get_max_threads() { return omp_get_max_threads ? omp_get_max_threads() : 1; }
TARRY_POMP2 int pomp2_lib_get_max_threads_() { return POMP2_Lib_get_max_threads(); }

// The two languages keep different things in a lock, so each has functions of its own in the runtime.
TARRY_POMP2 void POMP2_Init_lock(void* lock) { omp_init_lock(lock); }
TARRY_POMP2 void POMP2_Destroy_lock(void* lock) { omp_destroy_lock(lock); }
TARRY_POMP2 void POMP2_Set_lock(void* lock) { set_lock(lock, omp_set_lock, Construct::kSetLock); }
TARRY_POMP2 void POMP2_Unset_lock(void* lock) { unset_lock(lock, omp_unset_lock, Construct::kUnsetLock); }
TARRY_POMP2 int POMP2_Test_lock(void* lock) { return test_lock(lock, omp_test_lock, Construct::kTestLock); }
TARRY_POMP2 void pomp2_init_lock_(void* lock) { omp_init_lock_(lock); }
TARRY_POMP2 void pomp2_destroy_lock_(void* lock) { omp_destroy_lock_(lock); }
TARRY_POMP2 void pomp2_set_lock_(void* lock) { set_lock(lock, omp_set_lock_, Construct::kSetLock); }
TARRY_POMP2 void pomp2_unset_lock_(void* lock) { unset_lock(lock, omp_unset_lock_, Construct::kUnsetLock); }
TARRY_POMP2 int pomp2_test_lock_(void* lock) { return test_lock(lock, omp_test_lock_, Construct::kTestLock); }
TARRY_POMP2 void POMP2_Init_nest_lock(void* lock) { omp_init_nest_lock(lock); }
TARRY_POMP2 void POMP2_Destroy_nest_lock(void* lock) { omp_destroy_nest_lock(lock); }
TARRY_POMP2 void POMP2_Set_nest_lock(void* lock) { set_lock(lock, omp_set_nest_lock, Construct::kSetNestLock); }
TARRY_POMP2 void POMP2_Unset_nest_lock(void* lock) { unset_lock(lock, omp_unset_nest_lock, Construct::kUnsetNestLock); }
TARRY_POMP2 int POMP2_Test_nest_lock(void* lock) {
  return test_lock(lock, omp_test_nest_lock, Construct::kTestNestLock);
}
TARRY_POMP2 void pomp2_init_nest_lock_(void* lock) { omp_init_nest_lock_(lock); }
TARRY_POMP2 void pomp2_destroy_nest_lock_(void* lock) { omp_destroy_nest_lock_(lock); }
TARRY_POMP2 void pomp2_set_nest_lock_(void* lock) { set_lock(lock, omp_set_nest_lock_, Construct::kSetNestLock); }
TARRY_POMP2 void pomp2_unset_nest_lock_(void* lock) {
  unset_lock(lock, omp_unset_nest_lock_, Construct::kUnsetNestLock);
}
TARRY_POMP2 int pomp2_test_nest_lock_(void* lock) {
  return test_lock(lock, omp_test_nest_lock_, Construct::kTestNestLock);
}
