/* omp_tool.c -- an OMPT tool of the user's: it counts what OpenMP does, and keeps words with regions, tasks and threads.
 *
 * Built as a library, or into a program. At the end it prints
 * "tool: N regions, N implicit tasks, N tasks, N ended, 0 wrong": the same numbers in each run of a program whose
 * regions and tasks do not depend on chance. `wrong` counts words that have not been kept, and answers of the runtime
 * that do not fit them. OMP_TOOL_WAY: "none" has nothing started, "refuse" refuses in the initialisation. */
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t kRegion = 0x5e61, kImplicit = 0x1a51, kTask = 0x7a51, kThread = 0x7123;
static long g_regions, g_implicit, g_tasks, g_ended, g_wrong;
static ompt_get_task_info_t g_task_info;
static ompt_get_parallel_info_t g_parallel_info;
static ompt_get_thread_data_t g_thread_data;
static ompt_get_callback_t g_get_callback;

static long add(long* counter) { return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }
static uint64_t word(uint64_t kind, long number) { return kind << 40 | (uint64_t)number; }
static void expect(int is_right) {
  if (!is_right) add(&g_wrong);
}
static int is(const ompt_data_t* data, uint64_t kind) { return data && data->value >> 40 == kind; }

static void on_thread_begin(ompt_thread_t kind, ompt_data_t* thread) {
  (void)kind;
  thread->value = word(kThread, 1);
}

static void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* region, unsigned size, int flags,
                              const void* place) {
  ompt_callback_t known = NULL;
  (void)frame, (void)size, (void)flags, (void)place;
  expect(is(task, kImplicit) || is(task, kTask));
  expect(is(g_thread_data(), kThread));
  expect(g_get_callback(ompt_callback_parallel_begin, &known) == 1 && known == (ompt_callback_t)on_parallel_begin);
  expect(g_get_callback(ompt_callback_flush, &known) == 0);
  region->value = word(kRegion, add(&g_regions));
}

static void on_parallel_end(ompt_data_t* region, ompt_data_t* task, int flags, const void* place) {
  (void)flags, (void)place;
  expect(is(region, kRegion));
  expect(is(task, kImplicit) || is(task, kTask));
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task, unsigned size,
                             unsigned index, int flags) {
  (void)size, (void)index;
  if (endpoint == ompt_scope_begin) {
    expect(is(region, kRegion) || (flags & ompt_task_initial));
    task->value = word(kImplicit, add(&g_implicit));
  } else {
    expect(is(task, kImplicit));
  }
}

static void on_task_create(ompt_data_t* creator, const ompt_frame_t* frame, ompt_data_t* task, int flags, int has_deps,
                           const void* place) {
  ompt_data_t *own = NULL, *region = NULL;
  int size = 0;
  (void)frame, (void)flags, (void)has_deps, (void)place;
  expect(is(creator, kImplicit) || is(creator, kTask));
  expect(g_task_info(0, NULL, &own, NULL, &region, NULL) != 2 || (own && own->value == creator->value));
  expect(!region || !region->value || is(region, kRegion));
  region = NULL;
  expect(g_parallel_info(0, &region, &size) != 2 || !region->value || is(region, kRegion));
  task->value = word(kTask, add(&g_tasks));
}

static void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  expect(is(prior, kImplicit) || is(prior, kTask));
  expect(!next || is(next, kImplicit) || is(next, kTask));
  if (status == ompt_task_complete && is(prior, kTask)) add(&g_ended);
}

static void on_dependences(ompt_data_t* task, const ompt_dependence_t* deps, int count) {
  (void)deps, (void)count;
  expect(is(task, kTask));
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                    const void* place) {
  (void)kind, (void)endpoint, (void)place;
  expect(!region || !region->value || is(region, kRegion));
  expect(is(task, kImplicit) || is(task, kTask));
}

static void on_work(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                    uint64_t count, const void* place) {
  (void)work, (void)endpoint, (void)count, (void)place;
  expect(!region || !region->value || is(region, kRegion));
  expect(is(task, kImplicit) || is(task, kTask));
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool) {
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  const char* way = getenv("OMP_TOOL_WAY");
  const struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
  } callbacks[] = {{ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin},
                   {ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin},
                   {ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end},
                   {ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task},
                   {ompt_callback_task_create, (ompt_callback_t)on_task_create},
                   {ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule},
                   {ompt_callback_dependences, (ompt_callback_t)on_dependences},
                   {ompt_callback_sync_region, (ompt_callback_t)on_wait},
                   {ompt_callback_sync_region_wait, (ompt_callback_t)on_wait},
                   {ompt_callback_work, (ompt_callback_t)on_work}};
  size_t i;
  (void)device;
  if (way && !strcmp(way, "refuse")) return 0;
  g_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  g_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  g_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  g_get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  for (i = 0; i < sizeof callbacks / sizeof *callbacks; ++i)
    expect(set(callbacks[i].event, callbacks[i].callback) == ompt_set_always);
  expect(set(ompt_callback_flush, (ompt_callback_t)on_work) == ompt_set_always);
  expect(set(ompt_callback_flush, NULL) == ompt_set_always);
  expect(lookup("ompt_no_such_function") == NULL);
  tool->value = 77;
  fprintf(stderr, "tool: started\n");
  return 1;
}

static void finalize(ompt_data_t* tool) {
  expect(tool->value == 77);
  fprintf(stderr, "tool: %ld regions, %ld implicit tasks, %ld tasks, %ld ended, %ld wrong\n", g_regions, g_implicit, g_tasks,
          g_ended, g_wrong);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned omp_version, const char* runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  const char* way = getenv("OMP_TOOL_WAY");
  fprintf(stderr, "tool: asked by %.8s, %d\n", runtime, omp_version > 0);
  return way && !strcmp(way, "none") ? NULL : &result;
}
