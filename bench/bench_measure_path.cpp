// bench_measure_path.cpp -- cost of recording, in nanoseconds, and size of what is recorded, in bytes.
//
// usage: bench_measure_path two-reads | core-width | empty-hooks | filtered | throttled | not-measured
//        bench_measure_path enter-leave MODE [METRICS] | siblings MODE | heap-pair MODE METRICS
//        bench_measure_path mpi-call MODE | send-receive MODE | file-call MODE
//        bench_measure_path memory-bytes [ARCHIVE] | disk-bytes [ARCHIVE]
//
// MODE is trace, summary or both, METRICS a list of counters. The program starts itself again with the recorder
// preloaded; empty hooks are those of the C library, called without it. An MPI call's cost is that of MPI_X less that
// of PMPI_X, taken in turns: what else a shared processor does changes within a second. The same goes for write(), and
// for the name that it has inside the C library; and for malloc() and free(), with counters of the heap. Bytes are per
// event of ARCHIVE, or of a loop of calls with messages.
//
// An enter and a leave have two speeds in the same build, which has nothing to do with where code or data lie. A
// processor does their work while it reads its counter. It can do so while the core is its own. Where another hardware
// thread uses the core (of another program, or of another virtual machine that nobody here sees), the core does half as
// much at once: two time stamps take as long as before, and an enter and a leave up to 1.4 times as long. core-width
// prints how many additions the core does at once, 3.8 or about 2. The work itself must not depend on what was called
// before: siblings is enter-leave below a function that has called 20 others.
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "trace/container.hpp"

extern "C" void __cyg_profile_func_enter(void* function, void* call_site);
extern "C" void __cyg_profile_func_exit(void* function, void* call_site);
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void __libc_free(void* block);
extern "C" ssize_t __write(int descriptor, const void* buffer, std::size_t size);

namespace {

constexpr int kCalls = 200'000;
constexpr int kRounds = 15;

// The nanoseconds one call of `body` takes, of `calls`.
template <class Body>
double nanoseconds_of(int calls, Body body) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) body(i);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / calls;
}

// Median of what `value` gives in so many rounds.
template <class Value>
double median(int rounds, Value value) {
  std::vector<double> values;
  for (int round = 0; round < rounds; ++round) values.push_back(value());
  std::nth_element(values.begin(), values.begin() + rounds / 2, values.end());
  return values[static_cast<std::size_t>(rounds) / 2];
}

template <class Body>
double nanoseconds(Body body) {
  return median(kRounds, [&] { return nanoseconds_of(kCalls, body); });
}

// How much longer one call of `with` takes than one of `without`.
template <class With, class Without>
double difference(With with, Without without) {
  constexpr int kTurns = 20;
  constexpr int kCallsATurn = kCalls / kTurns;
  return median(kRounds * kTurns,
                [&] { return nanoseconds_of(kCallsATurn, with) - nanoseconds_of(kCallsATurn, without); });
}

std::uint64_t read_time() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Eight additions that do not wait for each other, again and again.
void add_side_by_side(std::uint64_t (&sums)[8]) {
  std::uint64_t a = sums[0], b = sums[1], c = sums[2], d = sums[3], e = sums[4], f = sums[5], g = sums[6], h = sums[7];
  for (int i = 0; i < 16; ++i) {
    ++a, ++b, ++c, ++d, ++e, ++f, ++g, ++h;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
  }
  sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d, sums[4] = e, sums[5] = f, sums[6] = g, sums[7] = h;
}

// As many that wait for each other.
void add_in_a_row(std::uint64_t& sum) {
  std::uint64_t a = sum;
  for (int i = 0; i < 128; ++i) {
    ++a;
    asm volatile("" : "+r"(a));
  }
  sum = a;
}

double core_width() {
  std::uint64_t sums[8] = {};
  return median(kRounds, [&] {
    const double in_a_row = nanoseconds_of(kCalls, [&](int) { add_in_a_row(sums[0]); });
    return in_a_row / nanoseconds_of(kCalls, [&](int) { add_side_by_side(sums); });
  });
}

double two_reads() {
  std::uint64_t sum = 0;
  const double cost = nanoseconds([&](int) { sum += read_time() ^ read_time(); });
  return sum ? cost : 0;
}

// What the hooks are told; never called.
extern "C" void bench_outer() {}
extern "C" void bench_inner() {}

// Functions that are called once each.
void call_others() {
  static char others[20 * 16];
  for (char* other = others; other < others + sizeof others; other += 16) {
    __cyg_profile_func_enter(other, nullptr);
    __cyg_profile_func_exit(other, nullptr);
  }
}

// As a compiler instruments two functions, without what they do.
double enter_leave() {
  void* const functions[2] = {reinterpret_cast<void*>(bench_outer), reinterpret_cast<void*>(bench_inner)};
  return nanoseconds([&](int i) {
    __cyg_profile_func_enter(functions[i & 1], nullptr);
    __cyg_profile_func_exit(functions[i & 1], nullptr);
  });
}

double mpi_call() {
  int rank;
  return difference([&](int) { MPI_Comm_rank(MPI_COMM_WORLD, &rank); },
                    [&](int) { PMPI_Comm_rank(MPI_COMM_WORLD, &rank); });
}

double file_call() {
  const int file = ::open("/dev/null", O_WRONLY);
  const auto call = [file](auto write) { return [=](int i) { static_cast<void>(write(file, &i, sizeof i) < 0); }; };
  return difference(call(::write), call(__write));
}

// A block and its free, in a function with hooks.
double heap_pair() {
  const auto call = [](auto allocate, auto release) {
    return [=](int) {
      void* block = allocate(64);
      asm volatile("" : "+r"(block) : : "memory");
      release(block);
    };
  };
  void* const function = reinterpret_cast<void*>(bench_outer);
  __cyg_profile_func_enter(function, nullptr);
  const double cost = difference(call(::malloc, ::free), call(__libc_malloc, __libc_free));
  __cyg_profile_func_exit(function, nullptr);
  return cost;
}

// A message to itself: the average of its three calls.
double send_receive() {
  const auto calls = [](auto irecv, auto send, auto wait) {
    return [=](int) {
      int out = 1, in = 0;
      MPI_Request request;
      irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
      send(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
      wait(&request, MPI_STATUS_IGNORE);
    };
  };
  return difference(calls(MPI_Irecv, MPI_Send, MPI_Wait), calls(PMPI_Irecv, PMPI_Send, PMPI_Wait)) / 3;
}

// This program again, with the recorder's libraries; its status.
int run_preloaded(char** arguments, const char* more = nullptr) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const auto libraries = program.parent_path().parent_path() / "lib";
  std::string preloaded = libraries / "libtarry-mpi.so";
  if (more) preloaded += ":" + (libraries / more).string();
  ::setenv("LD_PRELOAD", preloaded.c_str(), 1);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execv(program.c_str(), arguments);
    ::_exit(1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return status;
}

// Runs this program again with the recorder in `mode`, recording into `archive`; its exit status. What call paths cost
// is a figure of its own.
int run_recorded(char** arguments, const std::string& mode, const std::string& archive, const std::string& metrics) {
  ::setenv("TARRY_METRICS", metrics.c_str(), 1);
  ::setenv("TARRY_ARCHIVE", archive.c_str(), 1);
  ::setenv("TARRY_TRACE", mode == "summary" ? "0" : "1", 1);
  ::setenv("TARRY_SUMMARY", mode == "trace" ? "0" : "1", 1);
  ::setenv("TARRY_MEMORY", "1G", 1);
  ::setenv("TARRY_CALLPATHS", "0", 1);
  ::setenv("TARRY_THROTTLE", std::string(arguments[1]) == "throttled" ? "100:1us" : "off", 1);
  if (std::string(arguments[1]) == "file-call") return run_preloaded(arguments, "libtarry-io.so");
  return run_preloaded(arguments, metrics.find("heap") != std::string::npos ? "libtarry-heap.so" : nullptr);
}

// Bytes per event of the traces in this folder, as encoded or as they stand in the file.
double bytes_per_event(const std::string& archive, bool on_disk) {
  std::uint64_t bytes = 0, events = 0;
  for (const auto& file : std::filesystem::directory_iterator(archive + "/events")) {
    const auto container = tarry::Container::open(file.path());
    if (!container.ok()) continue;
    for (const tarry::ChunkRef& chunk : container.value().chunks()) {
      if (chunk.header.kind != tarry::ChunkKind::kEvents) continue;
      bytes += on_disk ? chunk.header.stored_bytes : chunk.header.raw_bytes;
      events += chunk.header.event_count;
    }
  }
  return events ? static_cast<double>(bytes) / static_cast<double>(events) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const bool is_size = what == "memory-bytes" || what == "disk-bytes";
  const bool is_function = what == "enter-leave" || what == "siblings" || what == "filtered" || what == "throttled";
  const bool is_cost =
      is_function || what == "heap-pair" || what == "mpi-call" || what == "send-receive" || what == "file-call";
  const bool is_alone = what == "two-reads" || what == "core-width" || what == "empty-hooks" || what == "not-measured";
  if (!is_size && !is_cost && !is_alone) {
    std::fprintf(
        stderr,
        "usage: bench_measure_path two-reads | core-width | empty-hooks | enter-leave MODE [METRICS] | siblings MODE | "
        "heap-pair MODE METRICS | filtered | throttled | not-measured | mpi-call MODE | send-receive MODE | file-call "
        "MODE | memory-bytes [ARCHIVE] | "
        "disk-bytes [ARCHIVE]\n");
    return 2;
  }
  if (is_size && argc > 2) {
    std::printf("%.4g\n", bytes_per_event(argv[2], what == "disk-bytes"));
  } else if (what == "two-reads") {
    std::printf("%.4g\n", two_reads());
  } else if (what == "core-width") {
    std::printf("%.3g\n", core_width());
  } else if (what == "empty-hooks") {
    std::printf("%.4g\n", enter_leave());
  } else if (what == "not-measured" && std::getenv("LD_PRELOAD")) {
    ::unsetenv("LD_PRELOAD");  // then nothing says that this program is to be recorded
    std::printf("%.4g\n", enter_leave());
  } else if (what == "not-measured") {
    return run_preloaded(argv) != 0;
  } else if (std::getenv("TARRY_ARCHIVE")) {
    MPI_Init(&argc, &argv);
    if (what == "siblings") call_others();
    const double cost = what == "mpi-call"    ? mpi_call()
                        : what == "file-call" ? file_call()
                        : what == "heap-pair" ? heap_pair()
                        : is_function         ? enter_leave()
                                              : send_receive();
    MPI_Finalize();
    if (is_cost) std::printf("%.4g\n", cost);
  } else {
    const std::string archive = std::filesystem::absolute("bench-measure-" + std::to_string(::getpid()));
    std::filesystem::create_directory(archive);
    if (what == "filtered") {
      const std::string filter = archive + "/filter";
      std::ofstream(filter) << "SCOREP_REGION_NAMES_BEGIN EXCLUDE bench_* SCOREP_REGION_NAMES_END\n";
      ::setenv("TARRY_FILTER", filter.c_str(), 1);
    }
    if (run_recorded(argv, argc > 2 ? argv[2] : "trace", archive, argc > 3 ? argv[3] : "") != 0) return 1;
    if (is_size) std::printf("%.4g\n", bytes_per_event(archive, what == "disk-bytes"));
    std::filesystem::remove_all(archive);
  }
  return 0;
}
