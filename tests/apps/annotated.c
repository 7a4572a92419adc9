/* annotated.c -- a program with annotations, which speaks NVTX, Kokkos Tools and ITT as their headers and libraries do:
 * it loads the library that the variable of the interface names, and calls what that offers.
 *
 * usage: annotated CASE     prints a line "NAME VISITS SECONDS" for each region, as it has measured it itself
 *
 * With -DWITH_MPI regions of rank 0 and 1 lie before, between and behind MPI_Init and MPI_Finalize.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, 0);
}

static void tell(const char* name, int visits, double seconds) { printf("%s %d %.6f\n", name, visits, seconds); }

static void* library_of(const char* variable) {
  const char* path = getenv(variable);
  return path ? dlopen(path, RTLD_LAZY) : 0;
}

/* ---- NVTX: tables of pointers to functions, which the library fills ---- */

struct event {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const void* message;
};
typedef void (*any_function)(void);

static struct {
  void (*mark_event)(const struct event*);
  void (*mark)(const char*);
  void (*mark_wide)(const wchar_t*);
  uint64_t (*start_event)(const struct event*);
  uint64_t (*start)(const char*);
  uint64_t (*start_wide)(const wchar_t*);
  void (*end)(uint64_t);
  int (*push_event)(const struct event*);
  int (*push)(const char*);
  int (*push_wide)(const wchar_t*);
  int (*pop)(void);
} nvtx;
static struct {
  void (*mark_event)(void*, const struct event*);
  uint64_t (*start_event)(void*, const struct event*);
  void (*end)(void*, uint64_t);
  int (*push_event)(void*, const struct event*);
  int (*pop)(void*);
  any_function resource_create, resource_destroy, name_category, name_category_wide;
  void* (*register_string)(void*, const char*);
  void* (*register_string_wide)(void*, const wchar_t*);
  void* (*create)(const char*);
  void* (*create_wide)(const wchar_t*);
} domains;

/* Functions have numbers from 1 on. */
static any_function* core_places[16];
static any_function* domain_places[16];

static int functions_of(int module, any_function*** functions, unsigned* count) {
  if (module != 1 && module != 5) return 0;
  *functions = module == 1 ? core_places : domain_places;
  *count = module == 1 ? 12 : 14;
  return 1;
}
static const struct {
  size_t size;
  int (*functions_of)(int, any_function***, unsigned*);
} tables = {sizeof tables, functions_of};
static const void* table_of(uint32_t number) { return number == 1 ? &tables : 0; }

static int load_nvtx(void) {
  void* library = library_of("NVTX_INJECTION64_PATH");
  for (size_t i = 0; i < sizeof nvtx / sizeof(any_function); ++i) core_places[i + 1] = (any_function*)&nvtx + i;
  for (size_t i = 0; i < sizeof domains / sizeof(any_function); ++i) domain_places[i + 1] = (any_function*)&domains + i;
  int (*initialise)(const void* (*)(uint32_t)) =
      library ? (int (*)(const void* (*)(uint32_t)))dlsym(library, "InitializeInjectionNvtx2") : 0;
  return initialise && initialise(table_of);
}

/* As nvtxRangePushA(): a function of the program that calls one of the tool. */
__attribute__((noinline)) static void push(const char* name) {
  if (nvtx.push) nvtx.push(name);
  __asm__ volatile("");
}
__attribute__((noinline)) static void pop(void) {
  if (nvtx.pop) nvtx.pop();
  __asm__ volatile("");
}

static struct event event_of(int type, const void* message) {
  return (struct event){.version = 3, .size = sizeof(struct event), .message_type = type, .message = message};
}

__attribute__((noinline)) static void deeper(void) {
  push("inner");
  work(0.1);
  pop();
  __asm__ volatile("");
}

/* The first event of a process starts its recording, which takes a few milliseconds. */
static void start_recording(void) {
  push("start");
  pop();
}

static void nvtx_case(void) {
  double begin = now(), inner_seconds = 0, start;
  for (int i = 0; i < 3; ++i) {
    push("step");
    work(0.1);
    start = now();
    deeper();
    inner_seconds += now() - start;
    pop();
  }
  tell("step", 3, now() - begin);
  tell("inner", 3, inner_seconds);
  void* domain = domains.create ? domains.create("solver") : 0;
  void* text = domain ? domains.register_string(domain, "assemble") : 0;
  const struct event event = event_of(3, text);
  begin = now();
  if (domain) domains.push_event(domain, &event);
  work(0.2);
  if (domain) domains.pop(domain);
  tell("solver.assemble", 1, now() - begin);
  begin = now();
  if (nvtx.push_wide) nvtx.push_wide(L"w\u00efde");
  work(0.1);
  pop();
  tell("w\xc3\xaf" "de", 1, now() - begin);
  /* Two that overlap: the later one begins anew when the earlier one ends. */
  const double first_begin = now();
  const uint64_t first = nvtx.start ? nvtx.start("first") : 0;
  work(0.1);
  const double second_begin = now();
  const uint64_t second = nvtx.start ? nvtx.start("second") : 0;
  work(0.1);
  if (nvtx.end) nvtx.end(first);
  tell("first", 1, now() - first_begin);
  work(0.1);
  if (nvtx.end) nvtx.end(second);
  tell("second", 2, now() - second_begin);
  for (int i = 0; i < 5 && nvtx.mark; ++i) nvtx.mark("tick");
}

/* ---- Kokkos Tools: functions by name ---- */

struct space {
  char name[64];
};

static void kokkos_case(const char* variable) {
  void* library = library_of(variable);
  void* found[12] = {0};
  const char* const names[] = {"init_library",          "push_profile_region",    "pop_profile_region",
                               "begin_parallel_for",    "end_parallel_for",       "begin_deep_copy",
                               "end_deep_copy",         "create_profile_section", "start_profile_section",
                               "stop_profile_section",  "request_tool_settings"};
  for (int i = 0; library && i < 11; ++i) {
    char name[64];
    snprintf(name, sizeof name, "kokkosp_%s", names[i]);
    if (!(found[i] = dlsym(library, name))) printf("no %s\n", name);
  }
  unsigned char settings[256];
  memset(settings, 1, sizeof settings);
  if (library) ((void (*)(int, uint64_t, uint32_t, void*))found[0])(0, 20240906, 0, 0);
  if (library) ((void (*)(uint32_t, void*))found[10])(1, settings);
  if (library && settings[0]) printf("the tool makes Kokkos wait for devices\n");
  const double begin = now();
  double kernels = 0;
  if (library) ((void (*)(const char*))found[1])("outer");
  for (int i = 0; i < 3; ++i) {
    uint64_t kernel = 0;
    const double start = now();
    if (library) ((void (*)(const char*, uint32_t, uint64_t*))found[3])("axpy", 0, &kernel);
    work(0.1);
    if (library) ((void (*)(uint64_t))found[4])(kernel);
    kernels += now() - start;
  }
  /* A kernel without a label has the types of its function and its tag. */
  const double typed = now();
  for (int i = 0; i < 2; ++i) {
    uint64_t kernel = 0;
    if (library) ((void (*)(const char*, uint32_t, uint64_t*))found[3])("4Axpy/N4Axpy3TagILi1EEE", 0, &kernel);
    work(0.05);
    if (library) ((void (*)(uint64_t))found[4])(kernel);
  }
  tell("Axpy/Axpy::Tag<1>", 2, now() - typed);
  const struct space host = {"Host"}, device = {"Cuda"};
  const double copy = now();
  if (library)
    ((void (*)(struct space, const char*, const void*, struct space, const char*, const void*, uint64_t))found[5])(
        device, "b", 0, host, "a", 0, 8);
  work(0.1);
  if (library) ((void (*)(void))found[6])();
  tell("copy a (Host) to b (Cuda)", 1, now() - copy);
  if (library) ((void (*)(void))found[2])();
  tell("outer", 1, now() - begin);
  tell("axpy", 3, kernels);
  uint32_t section = 0;
  if (library) ((void (*)(const char*, uint32_t*))found[7])("section", &section);
  const double start = now();
  for (int i = 0; i < 2; ++i) {
    if (library) ((void (*)(uint32_t))found[8])(section);
    work(0.1);
    if (library) ((void (*)(uint32_t))found[9])(section);
  }
  tell("section", 2, now() - start);
}

/* ---- ITT: a list of functions with places, which the library fills; domains and texts are the program's own ---- */

struct itt_domain {
  volatile int flags;
  const char* name;
  void* wide;
  int extra1;
  void* extra2;
  struct itt_domain* next;
};
struct itt_text {
  const char* text;
  void* wide;
  int extra1;
  void* extra2;
  struct itt_text* next;
};
struct itt_id {
  unsigned long long parts[3];
};
struct itt_entry {
  const char* name;
  void** place;
  void *at_first, *without_tool;
  int group;
};
struct itt_program {
  unsigned char magic[8];
  unsigned long major, minor, build;
  volatile long initialised, has_mutex, counter;
  pthread_mutex_t mutex;
  void *library, *error_handler;
  const char** path;
  struct itt_entry* entries;
};

static struct {
  void (*begin)(const struct itt_domain*, struct itt_id, struct itt_id, struct itt_text*);
  void (*end)(const struct itt_domain*);
  void (*pause)(void);
  void (*resume)(void);
  struct itt_domain* (*create_domain)(const char*);
  struct itt_text* (*create_text)(const char*);
  void* unknown;
} itt;

static void load_itt(void) {
  static struct itt_entry entries[] = {{"__itt_task_begin", (void**)&itt.begin, 0, 0, 0},
                                       {"__itt_task_end", (void**)&itt.end, 0, 0, 0},
                                       {"__itt_pause", (void**)&itt.pause, 0, 0, 0},
                                       {"__itt_resume", (void**)&itt.resume, 0, 0, 0},
                                       {"__itt_domain_create", (void**)&itt.create_domain, 0, 0, 0},
                                       {"__itt_string_handle_create", (void**)&itt.create_text, 0, 0, 0},
                                       {"__itt_unknown", &itt.unknown, 0, entries, 0},
                                       {0, 0, 0, 0, 0}};
  static struct itt_program program = {.magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30},
                                       .major = 3,
                                       .mutex = PTHREAD_MUTEX_INITIALIZER,
                                       .entries = entries};
  void* library = library_of("INTEL_LIBITTNOTIFY64");
  void (*initialise)(struct itt_program*, int) =
      library ? (void (*)(struct itt_program*, int))dlsym(library, "__itt_api_init") : 0;
  if (!initialise) return;
  initialise(0, 0);
  program.major = 9;
  initialise(&program, 0);
  if (itt.begin) printf("what is unknown is filled\n");
  program.major = 3;
  initialise(&program, 0);
  if (itt.unknown != entries) printf("what is not heard is not what the program does without a tool\n");
}

static void itt_case(void) {
  load_itt();
  const struct itt_domain domain = {.flags = 1, .name = "solver"};
  struct itt_text outer = {.text = "outer"}, sweep = {.text = "sweep"}, hidden = {.text = "hidden"};
  const struct itt_id none = {{0, 0, 0}};
  const double start = now();
  double sweeps = 0;
  if (itt.begin) itt.begin(&domain, none, none, &outer);
  for (int i = 0; i < 3; ++i) {
    const double sweep_start = now();
    if (itt.begin) itt.begin(&domain, none, none, &sweep);
    work(0.1);
    if (itt.end) itt.end(&domain);
    sweeps += now() - sweep_start;
  }
  if (itt.end) itt.end(&domain);
  tell("solver.outer", 1, now() - start);
  tell("solver.sweep", 3, sweeps);
  /* Once the library is loaded, it makes domains and texts: one of each name. */
  struct itt_domain* late = itt.create_domain ? itt.create_domain("late") : 0;
  if (late && late != itt.create_domain("late")) printf("there are two domains of one name\n");
  const double late_start = now();
  if (late && late->flags) itt.begin(late, none, none, itt.create_text("made later"));
  work(0.1);
  if (late) itt.end(late);
  tell("late.made later", 1, now() - late_start);
  if (itt.pause) itt.pause();
  if (itt.begin) itt.begin(&domain, none, none, &hidden);
  work(0.05);
  if (itt.end) itt.end(&domain);
  if (itt.resume) itt.resume();
}

/* ---- threads ---- */

static void* run_thread(void* seconds) {
  for (int i = 0; i < 2; ++i) {
    const double start = now();
    push("work");
    work(0.1);
    pop();
    *(double*)seconds += now() - start;
  }
  return 0;
}
static uint64_t shared_range;
static void* end_shared(void* nothing) {
  if (nvtx.end) nvtx.end(shared_range);
  return nothing;
}

static void threads_case(void) {
  enum { kThreads = 4 };
  pthread_t threads[kThreads];
  double seconds[kThreads] = {0};
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, run_thread, &seconds[i]);
  double all = 0;
  for (int i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], 0);
    all += seconds[i];
  }
  tell("work", 2 * kThreads, all);
  /* Ranges of one name that end in other threads: the first one is seen. */
  for (int i = 0; i < 3; ++i) {
    shared_range = nvtx.start ? nvtx.start("handed on") : 0;
    pthread_create(&threads[0], 0, end_shared, 0);
    pthread_join(threads[0], 0);
  }
  const double begin = now();
  push("behind");
  work(0.1);
  pop();
  tell("behind", 1, now() - begin);
}

/* ---- nonsense: as many kinds of it as the number says ---- */

static char huge[100000];
static uint64_t random_state;
static unsigned random_below(unsigned most) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(random_state >> 33) % most;
}

static const char* any_name(void) {
  static char text[32];
  switch (random_below(7)) {
    case 0: return 0;
    case 1: return "";
    case 2: return huge;
    case 3: return "\xff\xfe\x80 no UTF-8";
    case 4: return "line\nbreak \x1b[31m / \" ' < & >";
    case 5: snprintf(text, sizeof text, "name %u", random_below(20000)); return text;
    default: return "plain";
  }
}

static void nvtx_nonsense(void) {
  if (!nvtx.push) return;
  struct event event = event_of((int)random_below(5), any_name());
  if (event.message_type == 2) event.message = random_below(2) ? L"wide\x7fffffff\xd800" : 0;
  if (random_below(4) == 0) event.size = (uint16_t)random_below(60);
  void* const anywhere[] = {0, (void*)1, &event, (void*)~(uintptr_t)0, domains.create(any_name())};
  void* domain = anywhere[random_below(5)];
  switch (random_below(14)) {
    case 0: nvtx.push(any_name()); break;
    case 1: nvtx.pop(); break;
    case 2: nvtx.push_event(random_below(3) ? &event : 0); break;
    case 3: nvtx.end(random_state); break;
    case 4: nvtx.end(nvtx.start(any_name())); break;
    case 5: nvtx.start_event(&event); break;
    case 6: domains.push_event(domain, &event); break;
    case 7: domains.pop(domain); break;
    case 8: domains.end(domain, random_below(2) ? random_state : (1ull << 32 | random_below(100))); break;
    case 9: domains.mark_event(domain, &event); break;
    case 10: nvtx.mark(any_name()); break;
    case 11: domains.start_event(domain, random_below(3) ? &event : 0); break;
    case 12: domains.register_string(domain, any_name()); break;
    default:
      for (int i = 0; i < 300; ++i) nvtx.push("deep");
      for (unsigned i = random_below(400); i > 0; --i) nvtx.pop();
  }
}

static struct {
  void (*push)(const char*);
  void (*pop)(void);
  void (*begin_for)(const char*, uint32_t, uint64_t*);
  void (*end_for)(uint64_t);
  void (*begin_copy)(struct space, const char*, const void*, struct space, const char*, const void*, uint64_t);
  void (*end_copy)(void);
  void (*create)(const char*, uint32_t*);
  void (*start)(uint32_t);
  void (*stop)(uint32_t);
  void (*destroy)(uint32_t);
  void (*event)(const char*);
  void (*settings)(uint32_t, void*);
} kokkos;

static void load_kokkos(void) {
  static const char* const names[] = {"push_profile_region",     "pop_profile_region",      "begin_parallel_for",
                                      "end_parallel_for",        "begin_deep_copy",         "end_deep_copy",
                                      "create_profile_section",  "start_profile_section",   "stop_profile_section",
                                      "destroy_profile_section", "profile_event",           "request_tool_settings"};
  void* library = library_of("KOKKOS_TOOLS_LIBS");
  for (size_t i = 0; library && i < sizeof kokkos / sizeof(any_function); ++i) {
    char name[64];
    snprintf(name, sizeof name, "kokkosp_%s", names[i]);
    ((any_function*)&kokkos)[i] = (any_function)dlsym(library, name);
  }
}

static void kokkos_nonsense(void) {
  if (!kokkos.push) return;
  uint64_t kernel = random_state;
  uint32_t section = random_below(2) ? random_below(2000) : (uint32_t)random_state;
  struct space space;
  memset(&space, 'x', sizeof space); /* without a zero */
  switch (random_below(12)) {
    case 0: kokkos.push(any_name()); break;
    case 1: kokkos.pop(); break;
    case 2: kokkos.begin_for(any_name(), random_below(9), random_below(2) ? &kernel : 0); break;
    case 3: kokkos.end_for(random_below(2) ? random_state : (1ull << 32 | random_below(100))); break;
    case 4: kokkos.begin_for(any_name(), 0, &kernel); kokkos.end_for(kernel); break;
    case 5: kokkos.begin_copy(space, any_name(), 0, space, any_name(), 0, random_state); break;
    case 6: kokkos.end_copy(); break;
    case 7: kokkos.create(any_name(), random_below(2) ? &section : 0); break;
    case 8: kokkos.start(section); break;
    case 9: kokkos.stop(section); break;
    case 10: kokkos.destroy(section); break;
    default: kokkos.event(any_name()); kokkos.settings(0, 0);
  }
}

static void itt_nonsense(void) {
  static const struct itt_id none = {{0, 0, 0}};
  /* ITT's own domains and texts, whatever names they hold. */
  static struct itt_domain made[4];
  static struct itt_text texts[4];
  if (!itt.begin) return;
  const unsigned which = random_below(4);
  made[which].name = any_name();
  texts[which].text = any_name();
  const struct itt_domain* domain = random_below(4) ? &made[which] : 0;
  if (random_below(2)) itt.begin(domain, none, none, random_below(4) ? &texts[which] : 0);
  else itt.end(domain);
}

static void nonsense(void) {
  static void (*const kinds[])(void) = {nvtx_nonsense, nvtx_nonsense, kokkos_nonsense, itt_nonsense};
  kinds[random_below(4)]();
}

static void on_alarm(int signal) {
  (void)signal;
  for (int i = 0; i < 5; ++i) nonsense();
}

static void* nonsense_in_thread(void* nothing) {
  for (int i = 0; i < 500; ++i) nonsense();
  return nothing;
}
static void nonsense_at_exit(void) { for (int i = 0; i < 50; ++i) nonsense(); }

static void hostile_case(unsigned seed) {
  memset(huge, 'x', sizeof huge - 1);
  load_kokkos();
  load_itt();
  random_state = seed;
  atexit(nonsense_at_exit);
  if (seed % 3 == 0) {
    const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, 0);
    ualarm(500, 500);
  }
  pthread_t threads[4];
  const int with_threads = seed % 2 == 0;
  for (int i = 0; with_threads && i < 4; ++i) pthread_create(&threads[i], 0, nonsense_in_thread, 0);
  for (int i = 0; i < 2000; ++i) nonsense();
  for (int i = 0; with_threads && i < 4; ++i) pthread_join(threads[i], 0);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 500; ++i) nonsense();
    _exit(7);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  printf("hostile %d\n", WEXITSTATUS(status));
  ualarm(0, 0);
}

#ifdef WITH_MPI
static void mpi_case(int* argc, char*** argv) {
  double begin = now();
  push("before");
  work(0.1);
  pop();
  const double before = now() - begin;
  push("around");
  MPI_Init(argc, argv);
  pop();
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  begin = now();
  push("between");
  work(rank ? 0.1 : 0.3);
  MPI_Barrier(MPI_COMM_WORLD);
  pop();
  double mine[2] = {before, now() - begin}, all[2];
  MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  push("open until the end");
  MPI_Finalize();
  push("behind");
  pop();
  if (rank) return;
  tell("before", 2, all[0]);
  tell("between", 2, all[1]);
}
#endif

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "nvtx";
  const int has_nvtx = load_nvtx();
  start_recording();
  if (!strcmp(name, "loaded")) return printf("NVTX %d\n", has_nvtx), 0;
  if (!strcmp(name, "nvtx")) nvtx_case();
  if (!strcmp(name, "kokkos")) kokkos_case("KOKKOS_TOOLS_LIBS");
  if (!strcmp(name, "kokkos-old")) kokkos_case("KOKKOS_PROFILE_LIBRARY");
  if (!strcmp(name, "itt")) itt_case();
  if (!strcmp(name, "threads")) threads_case();
  if (!strcmp(name, "hostile")) hostile_case(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
#ifdef WITH_MPI
  if (!strcmp(name, "mpi")) return mpi_case(&argc, &argv), 0;
#endif
  return 5;
}
