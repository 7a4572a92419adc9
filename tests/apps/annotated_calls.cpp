// annotated_calls.cpp -- a program whose annotations are calls of the libraries of Caliper, ROCTX and LIKWID, or of the
// tool that PerfStubs finds.
//
// usage: annotated_calls CASE     prints a line "NAME VISITS SECONDS" for each region, as it has measured it itself
//
// With -DWITH_CALIPER it uses Caliper's own header and library.
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#ifdef WITH_CALIPER
#include <caliper/cali.h>
#else
#include "annotation_libraries.hpp"
#endif

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void work(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

struct Told {
  int visits = 0;
  double seconds = 0;
};
std::map<std::string, Told> g_told;

void tell(const std::string& name, double since, int visits = 1) {
  g_told[name].visits += visits;
  g_told[name].seconds += now() - since;
}

void print() {
  for (const auto& [name, told] : g_told) std::printf("%s %d %.6f\n", name.c_str(), told.visits, told.seconds);
}

// ---- Caliper ----

// The first event of a process starts its recording, which takes a few milliseconds.
void start_recording() {
  cali_begin_region("start");
  cali_end_region("start");
}

void c_loop() {
  cali_begin_string(cali_loop_attr_id, "sweep");
  const double loop = now();
  const auto iterations = cali_make_loop_iteration_attribute("sweep");
  for (int i = 0; i < 3; ++i) {
    cali_begin_int(iterations, i);
    const double start = now();
    work(0.05);
    cali_end(iterations);
    tell("iteration#sweep=" + std::to_string(i), start);
  }
  cali_end(cali_loop_attr_id);
  tell("sweep", loop);
}

void caliper_c() {
  start_recording();
  const double outer = now();
  cali_begin_region("outer");
  for (int i = 0; i < 3; ++i) {
    const double inner = now();
    cali_begin_region("inner");
    work(0.05);
    cali_end_region("inner");
    tell("inner", inner);
  }
  c_loop();
  cali_end_region("outer");
  tell("outer", outer);
  const double phase = now();
  cali_begin_phase("setup");
  cali_begin_comm_region("halo");
  work(0.1);
  cali_end_comm_region("halo");
  cali_end_phase("setup");
  tell("halo", phase);
  tell("setup", phase);
#ifndef WITH_CALIPER
  // A nested attribute by its name, and others, which are no regions.
  cali_begin_byname("step");
  const double stage = now();
  cali_begin_string_byname("stage", "assembly");
  work(0.05);
  cali_end_byname("stage");
  tell("assembly", stage);
  cali_end_byname("step");
  cali_begin_int_byname("size", 7);
  cali_end_byname("size");
#endif
}

__attribute__((noinline)) void solve() {
  const double start = now();
  {
    cali::Function function("solve");
    work(0.05);
    cali::ScopeAnnotation scope("scope of solve");
    const double scope_start = now();
    work(0.05);
    tell("scope of solve", scope_start);
  }
  tell("solve", start);
}

void caliper_classes() {
  start_recording();
  for (int i = 0; i < 2; ++i) solve();
  const double start = now();
  cali::Loop loop("cycle");
  for (int i = 0; i < 4; ++i) {
    const double begin = now();
    {
      cali::Loop::Iteration iteration(loop.iteration(i));
      work(0.05);
    }
    tell("iteration#cycle=" + std::to_string(i), begin);
  }
  loop.end();
  tell("cycle", start);
  constexpr int nested = 256;
  cali::Annotation stage("stage", nested), plain("plain");
  const double assembly = now();
  stage.begin("assembly");
  work(0.05);
  stage.end();
  tell("assembly", assembly);
  const double solution = now();
  {
    cali::Annotation::Guard guard(stage.begin("solution"));
    plain.begin("is on no path");
    work(0.05);
    plain.end();
  }
  tell("solution", solution);
  const double left = now();
  {
    cali::Loop loop_left("left");
    work(0.05);
  }
  tell("left", left);
  work(0.05);
}

#ifndef WITH_CALIPER
// ---- ROCTX ----

void run_pushes(double* seconds) {
  const double start = now();
  roctxRangePushA("of a thread");
  work(0.1);
  roctxRangePop();
  *seconds = now() - start;
}

void roctx() {
  start_recording();
  const double outer = now();
  if (roctxRangePushA("outer") != 0) std::printf("another level\n");
  const double inner = now();
  if (roctxRangePushA("inner") != 1) std::printf("another level\n");
  work(0.1);
  if (roctxRangePop() != 1) std::printf("another level\n");
  tell("inner", inner);
  work(0.05);
  if (roctxRangePop() != 0 || roctxRangePop() != -1) std::printf("another level\n");
  tell("outer", outer);
  // Two that overlap: the later one begins anew when the earlier one ends.
  const double first_start = now();
  const std::uint64_t first = roctxRangeStartA("first");
  work(0.05);
  const double second_start = now();
  const std::uint64_t second = roctxRangeStartA("second");
  if (second != first + 1) std::printf("another number\n");
  work(0.05);
  roctxRangeStop(first);
  tell("first", first_start);
  work(0.05);
  roctxRangeStop(second);
  tell("second", second_start, 2);
  double seconds[2];
  std::thread one(run_pushes, &seconds[0]), other(run_pushes, &seconds[1]);
  one.join();
  other.join();
  g_told["of a thread"] = {2, seconds[0] + seconds[1]};
  for (int i = 0; i < 5; ++i) roctxMarkA("tick");
}

// ---- LIKWID ----

void likwid() {
  start_recording();
  // A region ends by its name: these overlap.
  const double one = now();
  if (likwid_markerStartRegion("one") != -14) std::printf("another status\n");
  work(0.05);
  const double two = now();
  likwid_markerStartRegion("two");
  work(0.05);
  if (likwid_markerStopRegion("one") != -14) std::printf("another status\n");
  tell("one", one);
  work(0.05);
  likwid_markerStopRegion("two");
  tell("two", two, 2);
  const double fortran = now();
  likwid_markerstartregion_("fortran   ", 10);
  work(0.05);
  likwid_markerstopregion_("fortran   ", 10);
  tell("fortran", fortran);
}

// ---- PerfStubs: it looks its tool up by the names of functions ----

template <class Function>
Function* of_tool(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, (std::string("ps_tool_") + name).c_str()));
}

void perfstubs() {
  if (!of_tool<void()>("initialize")) return void(std::printf("there is no tool\n"));
  of_tool<void()>("initialize")();
  of_tool<void(const char*)>("start_string")("start");  // starts the recording
  of_tool<void(const char*)>("stop_string")("start");
  void* const timer = of_tool<void*(const char*)>("timer_create")("timer");
  const double start = now();
  of_tool<void(void*)>("timer_start")(timer);
  const double text = now();
  of_tool<void(const char*)>("start_string")("text");
  work(0.05);
  of_tool<void()>("stop_current")();
  tell("text", text);
  for (int i = 0; i < 3; ++i) {
    const double phase = now();
    of_tool<void(const char*, int)>("dynamic_phase_start")("phase", i);
    work(0.05);
    of_tool<void(const char*, int)>("dynamic_phase_stop")("phase", i);
    tell("phase=" + std::to_string(i), phase);
  }
  of_tool<void(void*)>("timer_stop")(timer);
  tell("timer", start);
  of_tool<void()>("pause_measurement")();
  of_tool<void(const char*)>("start_string")("hidden");
  of_tool<void(const char*)>("stop_string")("hidden");
  of_tool<void()>("resume_measurement")();
  unsigned data[16];
  std::memset(data, 1, sizeof data);
  of_tool<void(void*)>("get_timer_data")(data);
  if (data[0] != 0) std::printf("there are timers\n");
  of_tool<void()>("finalize")();
}

// ---- nonsense: as many kinds of it as the number says ----

char g_huge[100000];
std::uint64_t g_random;
unsigned random_below(unsigned most) {
  g_random = g_random * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<unsigned>(g_random >> 33) % most;
}

const char* any_name() {
  static const char* const names[] = {nullptr, "", g_huge, "\xff\xfe\x80 no UTF-8",
                                      "line\nbreak \x1b[31m / \" ' < & >"};
  static char text[64][32];
  const unsigned kind = random_below(7);
  if (kind < 5) return names[kind];
  if (kind == 5) return "plain";
  char* const made = text[random_below(64)];
  std::snprintf(made, sizeof text[0], "name %u", random_below(20000));
  return made;
}

int any_number() { return static_cast<int>(random_below(3) ? random_below(50) : g_random >> 20); }

void caliper_nonsense() {
  const std::uint64_t attributes[] = {cali_loop_attr_id, 0, 1, 5, 4095, 4096, ~std::uint64_t{0}, g_random};
  const std::uint64_t attribute = attributes[random_below(8)];
  switch (random_below(17)) {
    case 0: cali_begin_region(any_name()); break;
    case 1: cali_end_region(any_name()); break;
    case 2: cali_begin_phase(any_name()); break;
    case 3: cali_end_phase(any_name()); break;
    case 4: cali_begin_comm_region(any_name()); break;
    case 5: cali_end_comm_region(any_name()); break;
    case 6: cali_begin(attribute); break;
    case 7:
      cali_begin_int(random_below(2) ? attribute : cali_make_loop_iteration_attribute(any_name()), any_number());
      break;
    case 8: cali_begin_string(attribute, any_name()); break;
    case 9: cali_end(attribute); break;
    case 10: cali_begin_byname(any_name()); break;
    case 11: cali_begin_int_byname(any_name(), any_number()); break;
    case 12: cali_begin_string_byname(random_below(2) ? "stage" : any_name(), any_name()); break;
    case 13: cali_end_byname(random_below(2) ? "stage" : any_name()); break;
    case 14: {
      const cali::Function function(any_name());
      const cali::ScopeAnnotation scope(any_name());
      cali_end_region("");
      break;
    }
    default: {
      cali::Loop loop(any_name());
      const cali::Loop copy(loop);
      const cali::Loop::Iteration iteration(loop.iteration(any_number()));
      loop.end();
      loop.end();
      cali::Annotation annotation(any_name());
      annotation.begin().begin("deeper");
      const cali::Annotation::Guard guard(annotation.begin());
      if (random_below(2)) annotation.end();
    }
  }
}

void roctx_nonsense() {
  switch (random_below(6)) {
    case 0: roctxMarkA(any_name()); break;
    case 1: roctxRangePushA(any_name()); break;
    case 2: roctxRangePop(); break;
    case 3: roctxRangeStartA(any_name()); break;
    case 4: roctxRangeStop(random_below(2) ? g_random : random_below(3000)); break;
    default:
      for (int i = 0; i < 300; ++i) roctxRangePushA("deep");
      for (unsigned i = random_below(400); i > 0; --i) roctxRangePop();
  }
}

void likwid_nonsense() {
  switch (random_below(4)) {
    case 0: likwid_markerStartRegion(any_name()); break;
    case 1: likwid_markerStopRegion(any_name()); break;
    case 2: likwid_markerstartregion_(random_below(2) ? g_huge : nullptr, any_number() % 1000 - 20); break;
    default: likwid_markerstopregion_(random_below(2) ? g_huge : nullptr, any_number() % 1000 - 20);
  }
}

void perfstubs_nonsense() {
  static auto* const create = of_tool<void*(const char*)>("timer_create");
  static auto* const start = of_tool<void(void*)>("timer_start");
  static auto* const stop = of_tool<void(void*)>("timer_stop");
  static auto* const start_string = of_tool<void(const char*)>("start_string");
  static auto* const stop_string = of_tool<void(const char*)>("stop_string");
  static auto* const stop_current = of_tool<void()>("stop_current");
  static auto* const start_phase = of_tool<void(const char*, int)>("dynamic_phase_start");
  static auto* const stop_phase = of_tool<void(const char*, int)>("dynamic_phase_stop");
  const char* const name = any_name();
  const unsigned kind = random_below(7), which = random_below(5);
  const int number = any_number();
  if (!create) return;  // it draws as many numbers as with a tool
  void* const timers[] = {nullptr, reinterpret_cast<void*>(1), &g_random, reinterpret_cast<void*>(g_random),
                          create(name)};
  switch (kind) {
    case 0: start(timers[which]); break;
    case 1: stop(timers[which]); break;
    case 2: start_string(name); break;
    case 3: stop_string(name); break;
    case 4: stop_current(); break;
    case 5: start_phase(name, number); break;
    default: stop_phase(name, number);
  }
}

void nonsense() {
  static void (*const kinds[])() = {caliper_nonsense, roctx_nonsense, likwid_nonsense, perfstubs_nonsense};
  kinds[random_below(4)]();
}

void on_alarm(int) {
  for (int i = 0; i < 5; ++i) roctx_nonsense();
  for (int i = 0; i < 5; ++i) likwid_nonsense();
}

void hostile(unsigned seed) {
  std::memset(g_huge, 'x', sizeof g_huge - 1);
  g_random = seed;
  for (int i = 0; i < 500; ++i) nonsense();
  std::atexit([] {
    for (int i = 0; i < 50; ++i) nonsense();
  });
  // What a library does is known only if nothing happens at random.
  if (seed % 4 == 0) std::printf("calls %ld\n", calls_of_libraries());
  if (seed % 3 == 0) {
    struct sigaction action = {};
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    ualarm(500, 500);
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4 && seed % 2 == 0; ++i)
    threads.emplace_back([] {
      for (int n = 0; n < 500; ++n) nonsense();
    });
  for (int i = 0; i < 1500; ++i) nonsense();
  for (std::thread& each : threads) each.join();
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 300; ++i) nonsense();
    _exit(7);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) continue;
  ualarm(0, 0);
  std::printf("hostile %d\n", WEXITSTATUS(status));
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "caliper";
  if (name == "caliper") caliper_c();
  if (name == "classes") caliper_classes();
#ifndef WITH_CALIPER
  if (name == "roctx") roctx();
  if (name == "likwid") likwid();
  if (name == "perfstubs") perfstubs();
  if (name == "hostile") hostile(argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1);
  if (argc > 2 && name != "hostile") std::fprintf(stderr, "calls %ld\n", calls_of_libraries());
#endif
  print();
  return 5;
}
