// ompt_callbacks.cpp -- OpenMP programs whose runtime tells what it does (OMPT): clang and its libomp.
//
// The runtime looks for ompt_start_tool when it starts and finds ours. Places in the program come as return addresses;
// their lines are looked up when the recording ends. See docs/THREADS.md for what is seen.
#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/calling_code.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/sanitizer_hooks.hpp"
#include "measure/openmp/omp_thread.hpp"
#include "measure/openmp/ompt_abi.hpp"
#include "measure/openmp/other_omp_tool.hpp"
#include "measure/openmp/outlined_functions.hpp"
#include "measure/openmp/target_callbacks.hpp"

namespace tarry::measure {
namespace {

Team* team_of(const ompt::Parallel* parallel) {
  return parallel ? static_cast<Team*>(parallel->data.pointer) : nullptr;
}

// Where a construct is the last thing in its function, libomp tells where it calls that function. What is around is
// nearest to it.
const void* place_in_program(const void* address) {
  return address && calling_code(address) == CallingCode::kOpenMp ? place_of_team() : address;
}

// libomp runs the block of a teams construct in a parallel region of its own, which is nowhere in the program. It has
// another one for its threads that execute target constructs beside the program.
Team* fork_team_at(unsigned size, int flags, const void* address) {
  const bool is_league = flags & ompt::kParallelLeague;
  if (Team* const team = kernel_team()) return team;
  if (!records_omp()) return nullptr;
  const void* const place = place_in_program(address);
  if (!place && !is_league) return nullptr;
  Team* team = fork_team(region_at(is_league ? Construct::kTeams : Construct::kParallel, place), size);
  if (!team) return nullptr;
  team->place = place;
  team->is_league = is_league;
  return team;
}

// A sanitizer does not see how the runtime makes the threads of a team wait for its fork, and its end for them.
void on_parallel_begin(ompt::Task*, const void*, ompt::Parallel* parallel, unsigned size, int flags,
                       const void* address) {
  parallel->data.pointer = fork_team_at(size, flags, address);
  tell_released(parallel);
}

void on_parallel_end(ompt::Parallel* parallel, ompt::Task*, int, const void*) {
  tell_acquired(parallel);
  join_team(team_of(parallel));
  parallel->data.pointer = nullptr;
}

void enter_or_leave(int endpoint, Construct construct, const void* address) {
  if (endpoint != ompt::kBegin) return leave_construct();
  enter_construct(construct,
                  is_recording() && !kernel_team() ? region_at(construct, place_in_program(address)) : RegionId());
}

// The initial task of the program is the program itself. Those of a league are its members. What a task was begun as
// is kept with it: some versions of libomp tell other flags at its end. A team of one thread ends without a barrier in
// the runtime, but has one in the program.
void on_implicit_task(int endpoint, ompt::Parallel* parallel, ompt::Task* task, unsigned size, unsigned index,
                      int flags) {
  if (endpoint == ompt::kBegin) {
    tell_acquired(parallel);
    Team* const team = team_of(parallel);
    tell_released(parallel);
    const bool is_member = team || !(flags & ompt::kTaskInitial || is_in_league());
    task->data.value = is_member ? size : 0;
    if (is_member) begin_member(team, index == 0);
    return;
  }
  const std::uint64_t begun_as = std::exchange(task->data.value, 0);
  if (begun_as == 0) return;
  if (begun_as == 1) {
    enter_or_leave(ompt::kBegin, Construct::kImplicitBarrier, place_of_team());
    leave_construct();
  }
  end_member();
}

// ---- what a thread keeps of tasks

constexpr int kMaxTasks = 1024;    // that wait for others inside one thread
constexpr int kMaxTaskloops = 32;  // whose tasks a thread is creating
struct OpenTasks {
  std::uint64_t tasks[kMaxTasks];
  int count;
  const void* taskloops[kMaxTaskloops];  // by their places
  int taskloop_count;
};

// Memory of its own: a library that is opened later gets no more than some 1,600 bytes of a thread's static storage.
__thread OpenTasks* t_tasks __attribute__((tls_model("initial-exec"))) = nullptr;

// nullptr: the kernel has no memory.
OpenTasks* open_tasks() {
  if (t_tasks) return t_tasks;
  void* memory = ::mmap(nullptr, sizeof(OpenTasks), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) t_tasks = static_cast<OpenTasks*>(memory);
  return t_tasks;
}

// ---- worksharing

// A look at the stack tells where the program calls the runtime.
const void* place_of_taskloop(const void* address) {
  if (!is_omp_recorded() || calling_code(address) != CallingCode::kOpenMp) return address;
  find_functions(*t_thread);
  const void* const place = place_of_latest_call(*t_thread);
  return place ? place : address;
}

void on_taskloop(int endpoint, const void* address) {
  OpenTasks* const open = open_tasks();
  if (endpoint != ompt::kBegin) {
    if (open && open->taskloop_count > 0) --open->taskloop_count;
    return leave_construct();
  }
  const void* const place = place_of_taskloop(address);
  if (open && open->taskloop_count < kMaxTaskloops) open->taskloops[open->taskloop_count] = place;
  if (open) ++open->taskloop_count;
  enter_or_leave(endpoint, Construct::kTaskloop, place);
}

// All threads come to a single construct, one of them executes its block.
void on_work(int work, int endpoint, ompt::Parallel*, ompt::Task*, std::uint64_t, const void* address) {
  switch (work) {
    case ompt::kSections: return enter_or_leave(endpoint, Construct::kSections, address);
    case ompt::kSingleOther: return enter_or_leave(endpoint, Construct::kSingle, address);
    case ompt::kSingleExecutor:
      if (endpoint == ompt::kBegin) enter_or_leave(endpoint, Construct::kSingle, address);
      enter_or_leave(endpoint, Construct::kSingleBlock, address);
      if (endpoint == ompt::kEnd) leave_construct();
      return;
    case ompt::kWorkshare: return enter_or_leave(endpoint, Construct::kWorkshare, address);
    case ompt::kDistribute: return enter_or_leave(endpoint, Construct::kDistribute, address);
    case ompt::kTaskloop: return on_taskloop(endpoint, address);
    default: return enter_or_leave(endpoint, Construct::kLoop, address);
  }
}

void on_masked(int endpoint, ompt::Parallel*, ompt::Task*, const void* address) {
  enter_or_leave(endpoint, Construct::kMaster, address);
}

void on_sync_region(int kind, int endpoint, ompt::Parallel*, ompt::Task*, const void* address) {
  switch (kind) {
    case ompt::kBarrier:
    case ompt::kBarrierExplicit: return enter_or_leave(endpoint, Construct::kBarrier, address);
    case ompt::kTaskwait: return enter_or_leave(endpoint, Construct::kTaskwait, address);
    case ompt::kTaskgroup: return enter_or_leave(endpoint, Construct::kTaskgroup, address);
    case ompt::kReduction: return enter_or_leave(endpoint, Construct::kReduction, address);
    case ompt::kBarrierImplementation: return;
    default: return enter_or_leave(endpoint, Construct::kImplicitBarrier, address ? address : place_of_team());
  }
}

// ---- locks: critical and ordered constructs have a region around the wait and one for the block

void on_mutex_acquire(int kind, unsigned, unsigned, std::uint64_t, const void* address) {
  switch (kind) {
    case ompt::kLock: return enter_or_leave(ompt::kBegin, Construct::kSetLock, address);
    case ompt::kNestedLock: return enter_or_leave(ompt::kBegin, Construct::kSetNestLock, address);
    case ompt::kCritical: return enter_or_leave(ompt::kBegin, Construct::kCritical, address);
    case ompt::kOrdered: return enter_or_leave(ompt::kBegin, Construct::kOrdered, address);
    default: return;  // of a test only the success is told
  }
}

void on_mutex_acquired(int kind, std::uint64_t lock, const void* address) {
  switch (kind) {
    case ompt::kLock:
    case ompt::kNestedLock: record_acquired(lock); return leave_construct();
    case ompt::kTestLock:
    case ompt::kTestNestedLock:
      enter_or_leave(ompt::kBegin, kind == ompt::kTestLock ? Construct::kTestLock : Construct::kTestNestLock, address);
      record_acquired(lock);
      return leave_construct();
    case ompt::kCritical:
      record_acquired(lock);
      return enter_or_leave(ompt::kBegin, Construct::kCriticalBlock, address);
    case ompt::kOrdered: return enter_or_leave(ompt::kBegin, Construct::kOrderedBlock, address);
    default: return;
  }
}

void on_mutex_released(int kind, std::uint64_t lock, const void* address) {
  switch (kind) {
    case ompt::kLock:
    case ompt::kTestLock:
    case ompt::kNestedLock:
    case ompt::kTestNestedLock:
      enter_or_leave(ompt::kBegin, kind <= ompt::kTestLock ? Construct::kUnsetLock : Construct::kUnsetNestLock,
                     address);
      record_released(lock);
      return leave_construct();
    case ompt::kCritical:
      record_released(lock);
      leave_construct();
      return leave_construct();
    case ompt::kOrdered: leave_construct(); return leave_construct();
    default: return;
  }
}

// The owner of a nestable lock takes it again, or releases it not for the last time.
void on_nest_lock(int endpoint, std::uint64_t, const void* address) {
  enter_or_leave(ompt::kBegin, endpoint == ompt::kBegin ? Construct::kSetNestLock : Construct::kUnsetNestLock, address);
  leave_construct();
}

// ---- explicit tasks: their number in the trace, and the region to enter when they run

// What the runtime keeps for us with each task: its region (20 bits), the thread that created it (14), its number
// there. 0: not recorded. Implicit tasks have the size of their team, which has no region in it.
constexpr int kCountBits = 30, kThreadBits = 14;

RegionId region_of(std::uint64_t task) { return RegionId(task >> (kCountBits + kThreadBits)); }

std::uint64_t explicit_task(const ompt::Task* task) {
  return task && region_of(task->data.value).value != 0 ? task->data.value : 0;
}

template <class Record>
void put_task(std::uint64_t task) {
  record_task<Record>(task >> kCountBits & ((1u << kThreadBits) - 1), task & ((1u << kCountBits) - 1));
}

// By their regions, as far as others have not taken their entries.
constexpr std::size_t kTaskPlaces = 256;
std::atomic<const void*> g_task_places[kTaskPlaces];

std::atomic<const void*>& known_place(RegionId task) { return g_task_places[task.value % kTaskPlaces]; }

// Of large taskloops, libomp has tasks that create tasks in turn: all are of the same construct.
const void* place_of_new_task(const void* address) {
  if (!address || calling_code(address) != CallingCode::kOpenMp) return address;
  if (!t_tasks) return place_of_team();
  const int taskloops = t_tasks->taskloop_count;
  if (taskloops > 0 && taskloops <= kMaxTaskloops) return t_tasks->taskloops[taskloops - 1];
  if (t_tasks->count == 0) return place_of_team();
  const RegionId region = region_of(t_tasks->tasks[t_tasks->count - 1]);
  const void* const place = known_place(region).load(std::memory_order_relaxed);
  return place && region_at(Construct::kTask, place) == region ? place : place_of_team();
}

void on_task_create(ompt::Task*, const void*, ompt::Task* task, int flags, int, const void* address) {
  task->data.value = 0;
  if (!(flags & ompt::kTaskExplicit) || !is_omp_recorded() || is_construct_left_out(Construct::kTask)) return;
  const std::uint64_t number = count_task() & ((1u << kCountBits) - 1);
  const std::uint64_t thread = t_thread->number & ((1u << kThreadBits) - 1);
  const void* const place = place_of_new_task(address);
  const RegionId region = region_at(Construct::kTask, place);
  known_place(region).store(place, std::memory_order_relaxed);
  task->data.value = std::uint64_t{region.value} << (kCountBits + kThreadBits) | thread << kCountBits | number;
  enter_construct(Construct::kTaskCreate, region_at(Construct::kTaskCreate, place));
  put_task<record::ThreadTaskCreate>(task->data.value);
  leave_construct();
}

// Tasks run one inside the other: what a thread starts while it waits in a task ends before that goes on. A task that
// gives way to the one below it (untied tasks do) is left, and entered again when it goes on.
void on_task_schedule(ompt::Task* prior, int status, ompt::Task* next) {
  const std::uint64_t before = explicit_task(prior), after = explicit_task(next);
  const bool is_over = status == ompt::kComplete || status == ompt::kCancel || status == ompt::kDetach;
  if (!before && !after) return;
  OpenTasks* const tasks = open_tasks();
  if (!tasks) return;
  OpenTasks& open = *tasks;
  const std::uint64_t below = open.count > 1 ? open.tasks[open.count - 2] : 0;
  if (before && open.count > 0 && open.tasks[open.count - 1] == before && (is_over || below == after)) {
    --open.count;
    leave_construct();
    if (is_over) put_task<record::ThreadTaskComplete>(before);
    if (below == after) return;
  }
  if (!after || open.count >= kMaxTasks) return;
  open.tasks[open.count++] = after;
  put_task<record::ThreadTaskSwitch>(after);
  enter_explicit_task(region_of(after));
}

void on_flush(ompt::Data*, const void* address) {
  enter_or_leave(ompt::kBegin, Construct::kFlush, address);
  leave_construct();
}

// ---- the same where there is another tool: words begin before both are told, and end afterwards

void tell_parallel_begin(ompt::Task* task, const void* frame, ompt::Parallel* parallel, unsigned size, int flags,
                         const void* address) {
  begin_words(parallel->data);
  ForBoth<ompt::kParallelBegin, on_parallel_begin>::tell(task, frame, parallel, size, flags, address);
}

void tell_parallel_end(ompt::Parallel* parallel, ompt::Task* task, int flags, const void* address) {
  ForBoth<ompt::kParallelEnd, on_parallel_end>::tell(parallel, task, flags, address);
  end_words(parallel->data);
}

void tell_implicit_task(int endpoint, ompt::Parallel* parallel, ompt::Task* task, unsigned size, unsigned index,
                        int flags) {
  if (endpoint == ompt::kBegin) begin_words(task->data);
  ForBoth<ompt::kImplicitTask, on_implicit_task>::tell(endpoint, parallel, task, size, index, flags);
  if (endpoint == ompt::kEnd) end_words(task->data);
}

void tell_task_create(ompt::Task* creator, const void* frame, ompt::Task* task, int flags, int has_dependences,
                      const void* address) {
  begin_words(task->data);
  ForBoth<ompt::kTaskCreate, on_task_create>::tell(creator, frame, task, flags, has_dependences, address);
}

void tell_task_schedule(ompt::Task* prior, int status, ompt::Task* next) {
  ForBoth<ompt::kTaskSchedule, on_task_schedule>::tell(prior, status, next);
  const bool is_over = status == ompt::kComplete || status == ompt::kCancel || status == ompt::kLateFulfill ||
                       status == ompt::kTaskwaitComplete;
  if (is_over && prior) end_words(prior->data);
}

struct WantedEvent {
  ompt::Event event;
  ompt::Callback alone, for_both;  // without and with another tool
};

template <ompt::Event event, auto own>
WantedEvent wanted() {
  return {event, ompt::plain(own), ompt::plain(ForBoth<event, own>::tell)};
}

int initialize(ompt::Lookup lookup, int device, ompt::Data*) {
  const auto set = reinterpret_cast<ompt::SetCallback>(lookup("ompt_set_callback"));
  if (!set) return 0;
  note_omp_told();
  const WantedEvent events[] = {
      {ompt::kParallelBegin, ompt::plain(on_parallel_begin), ompt::plain(tell_parallel_begin)},
      {ompt::kParallelEnd, ompt::plain(on_parallel_end), ompt::plain(tell_parallel_end)},
      {ompt::kImplicitTask, ompt::plain(on_implicit_task), ompt::plain(tell_implicit_task)},
      {ompt::kTaskCreate, ompt::plain(on_task_create), ompt::plain(tell_task_create)},
      {ompt::kTaskSchedule, ompt::plain(on_task_schedule), ompt::plain(tell_task_schedule)},
      wanted<ompt::kWork, on_work>(),
      wanted<ompt::kMasked, on_masked>(),
      wanted<ompt::kSyncRegion, on_sync_region>(),
      wanted<ompt::kMutexAcquire, on_mutex_acquire>(),
      wanted<ompt::kMutexAcquired, on_mutex_acquired>(),
      wanted<ompt::kMutexReleased, on_mutex_released>(),
      wanted<ompt::kNestLock, on_nest_lock>(),
      wanted<ompt::kFlush, on_flush>(),
  };
  const bool is_alone = !has_other_tool();
  int results[ompt::kEventCount] = {};
  for (const WantedEvent& wanted : events)
    results[wanted.event] = set(wanted.event, is_alone ? wanted.alone : wanted.for_both);
  if (is_alone) watch_targets(set);
  if (!is_alone) start_other_tool(lookup, device, results);
  expect_outlined_calls();
  mark_outlined_functions();
  return 1;
}

void finalize(ompt::Data*) { end_other_tool(); }

}  // namespace
}  // namespace tarry::measure

tarry::measure::ompt::StartToolResult* ompt_start_tool(unsigned omp_version, const char* runtime) {
  static tarry::measure::ompt::StartToolResult result = {tarry::measure::initialize, tarry::measure::finalize, {0}};
  tarry::measure::find_other_tool(omp_version, runtime);
  return &result;
}
