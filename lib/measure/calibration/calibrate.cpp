// calibrate.cpp -- how long it takes to record a call here and now, by kind of call and of recording.
//
// A tool loads this library into a child of its own and calls tarry_measure_costs() there: nothing of it runs in a
// measured program. The child records into memory, and ends without writing. Each kind is what the recorder's own
// entry points take, less an empty call that does the same without them. Both are timed in turns, so that whatever
// else the processor does meets both.
#include <elf.h>
#include <sys/auxv.h>
#include <time.h>

#include <algorithm>

#include "archive/files/names.hpp"
#include "measure/callpath/library_call.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/host.hpp"
#include "measure/core/runtime.hpp"
#include "measure/io/file_hooks.hpp"
#include "measure/openmp/omp_thread.hpp"
#include "report/metrics/recording_costs.hpp"

extern "C" void __cyg_profile_func_enter(void* function, void* call_site);
extern "C" void __cyg_profile_func_exit(void* function, void* call_site);

namespace tarry::measure {
namespace {

constexpr int kCalls = 240;  // timed in one go
constexpr int kRounds = 24;  // of which the median counts
constexpr int kSteps = 4;    // of the work of the second small function; the first has none, the third twice as much
constexpr int kRepeats = 8;  // of a function, before the next one is called from the same place

double nanoseconds_now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Body>
double nanoseconds_of(int rounds, Body body) {
  const double begin = nanoseconds_now();
  for (int i = 0; i < rounds; ++i) body(i);
  return nanoseconds_now() - begin;
}

// How many seconds longer a call takes in `with` than in `without`; each makes `calls` of them.
template <class With, class Without>
double difference(With with, Without without, int calls = 1) {
  double values[kRounds];
  const int rounds = kCalls / calls;
  nanoseconds_of(rounds, with);
  for (double& value : values) value = nanoseconds_of(rounds, with) - nanoseconds_of(rounds, without);
  std::nth_element(values, values + kRounds / 2, values + kRounds);
  return std::max(0.0, values[kRounds / 2] / (rounds * calls) * 1e-9);
}

// What functions work on. They do not depend on each other, so that a processor overlaps them where no hook is between.
constexpr int kValues = 64;
double g_values[kValues];

// As many steps as make it small, or none.
template <int kNumber>
struct SmallWork {
  static constexpr int kFunction = kNumber;
  [[gnu::always_inline]] static void once(int i) {
    double sum = 0;
    for (int step = 0; step < kNumber * kSteps; ++step) sum += g_values[(i * 7 + step * 5) % kValues];
    g_values[i % kValues] = g_values[i % kValues] * 0.999 + sum * 1e-3;
  }
};

// Each visit needs the result of the one before, as in a recurrence: a processor has time for hooks meanwhile.
struct ChainedWork {
  static constexpr int kFunction = 3;
  static inline double result = 1;
  [[gnu::always_inline]] static void once(int i) {
    double value = result;
    for (int step = 0; step < 4 * kSteps; ++step) value = value * 0.5 + g_values[(i + step) % kValues];
    result = value;
  }
};

// A row of a sparse matrix, with 24 neighbours on a grid of 24^3. A processor works on several rows at once, if no hook
// is between.
struct IndependentWork {
  static constexpr int kFunction = 4;
  static constexpr int kNeighbours = 24, kRows = 2048, kPoints = 24 * 24 * 24;
  static inline double points[kPoints], results[kValues];
  static inline std::uint16_t list[kRows * kNeighbours];

  static void prepare() {
    for (int i = 0; i < kPoints; ++i) points[i] = 1.0 / (i + 1);
    for (int i = 0; i < kRows * kNeighbours; ++i) {
      const int near = i % kNeighbours, row = i / kNeighbours;
      list[i] = static_cast<std::uint16_t>(row + near % 3 + near / 3 % 3 * 24 + near / 9 * 576);
    }
  }
  [[gnu::always_inline]] static void once(int i) {
    double sum = 0;
    for (int near = 0; near < kNeighbours; ++near) sum -= points[list[(i % kRows) * kNeighbours + near]];
    results[i % kValues] = sum;
    asm volatile("" : : "r"(results) : "memory");
  }
};

// What hooks are told of; never called. Functions are 16 bytes apart, or the table of regions would mix them up.
template <int kNumber>
[[gnu::noinline, gnu::aligned(64)]] void told_function() {
  asm volatile("" : : "i"(kNumber));
}

// Such a function is called again and again. A compiler has made it a part of its caller, hooks and all: so hooks are
// timed, and no call.
template <class Work>
[[gnu::always_inline]] inline void visit_with_hooks(int i) {
  const auto self = reinterpret_cast<void*>(&told_function<Work::kFunction>);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    __cyg_profile_func_enter(self, __builtin_return_address(0));
    Work::once(i * kRepeats + repeat);
    __cyg_profile_func_exit(self, __builtin_return_address(0));
  }
}

template <class Work>
[[gnu::always_inline]] inline void visit_without_hooks(int i) {
  for (int repeat = 0; repeat < kRepeats; ++repeat) Work::once(i * kRepeats + repeat);
}

// Of a visit, if these functions take turns.
template <class... Works>
double function_seconds() {
  return difference([](int i) { (visit_with_hooks<Works>(i), ...); },
                    [](int i) { (visit_without_hooks<Works>(i), ...); }, kRepeats * static_cast<int>(sizeof...(Works)));
}

double small_function_seconds() { return function_seconds<SmallWork<0>, SmallWork<1>, SmallWork<2>>(); }

// Nothing tells which kind of work a function does.
double busy_function_seconds() { return (function_seconds<ChainedWork>() + function_seconds<IndependentWork>()) / 2; }

// ---- a call of a library, as the adapters of MPI and of POSIX threads record it

RegionId g_region;

[[gnu::noinline]] void recorded_call(int i, bool has_record) {
  Ticks time = 0;
  bool is_entered = false;
  Thread* thread = t_thread;
  const void* const caller = stack_of_caller_here();
  begin_library_call(thread, g_region, caller, time, is_entered,
                     [&] { return begin_library_call_rarely(thread, g_region, caller, time, is_entered); });
  if (has_record)
    put(*thread, time,
        record::MpiSend{
            .receiver = CommRank(static_cast<unsigned>(i & 3)), .comm = CommId(0), .tag = 7, .bytes = 4096});
  time = now();
  if (is_entered) end_library_call(*thread, caller, time);
}

[[gnu::noinline]] void plain_call(int i, bool) { asm volatile("" : : "r"(i) : "memory"); }

double call_seconds(bool has_record) {
  const auto call = [has_record](auto function) { return [=](int i) { function(i, has_record); }; };
  return difference(call(recorded_call), call(plain_call));
}

double construct_seconds() {
  return difference(
      [](int) {
        enter_construct(Construct::kLoop, g_region);
        leave_construct();
      },
      [](int i) { plain_call(i, false); });
}

// ---- files

// The stack of a function that is called from the program: what tells the recorder that a file is the program's own.
struct ProgramFrame {
  std::uintptr_t frame_pointer = 0;
  const void* return_address = reinterpret_cast<const void*>(::getauxval(AT_ENTRY));
};

double file_seconds() {
  const FileHooks* const hooks = tarry_file_hooks ? tarry_file_hooks() : nullptr;
  if (!hooks) return 0;
  const auto write = [hooks](int) {
    ProgramFrame frame;
    asm volatile("" : : "r"(&frame) : "memory");
    hooks->transfer(
        FileFunction::kWrite, &frame + 1, 1, 64, [](void*) -> ssize_t { return 64; }, nullptr);
  };
  return difference(write, [](int i) { plain_call(i, false); });
}

// ---- the memory that records take, and writing them at the end

constexpr std::uint32_t kWarmBlocks = 1, kBlocks = 3, kRegions = 3;

// Records enters and leaves until so many blocks have been begun.
void fill_blocks(EventBuffer& events, std::uint32_t blocks) {
  while (events.put_tentatively(now(), record::ThreadJoin{}).sequence < blocks)
    for (std::uint32_t i = 0; i < kRegions * kRepeats; ++i) {
      events.enter(now(), RegionId(i / kRepeats));
      events.leave(now());
    }
}

double processor_nanoseconds(auto work) {
  const double begin = nanoseconds_now(CLOCK_THREAD_CPUTIME_ID);
  work();
  return nanoseconds_now(CLOCK_THREAD_CPUTIME_ID) - begin;
}

// Each byte of a trace is a part of a block, whose pages have to come, and is compressed and written at the end. That
// is done once and has no median, so what other processes do meanwhile must not count.
double byte_seconds() {
  static BlockPool pool;  // its files lie beside those of the recording
  static EventBuffer events;
  const std::string folder = std::string(settings().archive) + "/";
  pool.open({.container = folder + names::container("costs"),
             .spool = folder + names::spool("costs", process_id()),
             .memory = settings().memory,
             .compression = settings().compression,
             .spools_in_memory = false});
  events.open(pool, WorldRank(0), 0, now());
  fill_blocks(events, kWarmBlocks);
  pool.flush_at_end();
  bool did_flush = false;
  const double take = processor_nanoseconds([&] {
    for (std::uint32_t i = 0; i < kBlocks; ++i) pool.take({}, did_flush);
  });
  fill_blocks(events, kWarmBlocks + kBlocks);
  const double flush = processor_nanoseconds([&] { pool.flush_at_end(); });
  return (take + flush) / (kBlocks * kBlockBytes) * 1e-9;
}

// ----

using Costs = double (*)[kRecordingModes];

void measure_in_mode(Costs costs, std::size_t mode) {
  const auto set = [&](CostKind kind, double seconds) { costs[static_cast<std::size_t>(kind)][mode] = seconds; };
  const double call = call_seconds(false);
  set(CostKind::kFunction, small_function_seconds());
  set(CostKind::kBusyFunction, busy_function_seconds());
  set(CostKind::kCall, call);
  set(CostKind::kRecord, std::max(0.0, call_seconds(true) - call));
  set(CostKind::kOpenMp, construct_seconds());
  set(CostKind::kFile, file_seconds());
}

// The functions stay filtered.
template <int... kNumbers>
void filter_functions() {
  for (const auto function : {&told_function<kNumbers>...}) filter_key(reinterpret_cast<std::uintptr_t>(function));
}

// Once for all modes.
void measure_filtered(Costs costs) {
  filter_functions<0, 1, 2, ChainedWork::kFunction, IndependentWork::kFunction>();
  const double filtered = small_function_seconds(), busy = busy_function_seconds();
  for (double& cost : costs[static_cast<std::size_t>(CostKind::kFiltered)]) cost = filtered;
  for (double& cost : costs[static_cast<std::size_t>(CostKind::kBusyFiltered)]) cost = busy;
}

}  // namespace
}  // namespace tarry::measure

/// Fills costs[kind][mode], in seconds. False if nothing is recorded. For a process of its own, whose recording is of
/// no use afterwards; it has to be one of both a trace and a summary.
extern "C" __attribute__((visibility("default"))) bool tarry_measure_costs(double (*costs)[tarry::kRecordingModes]) {
  using namespace tarry::measure;
  visit_with_hooks<SmallWork<0>>(0);
  Thread* const thread = t_thread;
  if (!thread || !thread->traces || !thread->summarises) return false;
  g_region = definitions().add_region("call", "", 0, tarry::Paradigm::kMpi, tarry::RegionRole::kFunction);
  IndependentWork::prepare();
  constexpr struct { bool traces, summarises; } kModes[] = {{true, false}, {false, true}, {true, true}};
  for (std::size_t mode = 0; mode < tarry::kRecordingModes; ++mode) {
    thread->traces = kModes[mode].traces;
    thread->summarises = kModes[mode].summarises;
    measure_in_mode(costs, mode);
  }
  measure_filtered(costs);
  const double byte = byte_seconds();
  for (std::size_t mode = 0; mode < tarry::kRecordingModes; ++mode)
    costs[static_cast<std::size_t>(tarry::CostKind::kByte)][mode] = kModes[mode].traces ? byte : 0;
  return true;
}
