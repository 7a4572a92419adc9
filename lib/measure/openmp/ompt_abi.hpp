// ompt_abi.hpp -- the part of the OpenMP tools interface (OMPT, OpenMP 5.0, chapter 4) that the adapter uses.
//
// Declared here and not taken from omp-tools.h, which only comes with clang: the recorder is built without it.
//
// Calls: may block.
#pragma once

#include <cstdint>

namespace tarry::measure::ompt {

union Data {
  std::uint64_t value;
  void* pointer;
};

/// What the runtime keeps for a tool with each parallel region, and with each task.
struct Parallel {
  Data data;
};
struct Task {
  Data data;
};

enum Event : int {
  kParallelBegin = 3,
  kParallelEnd = 4,
  kTaskCreate = 5,
  kTaskSchedule = 6,
  kImplicitTask = 7,
  kTarget = 8,
  kDeviceInitialize = 12,
  kSyncRegionWait = 16,
  kMutexReleased = 17,
  kDependences = 18,
  kTaskDependence = 19,
  kWork = 20,
  kMasked = 21,
  kSyncRegion = 23,
  kMutexAcquire = 26,
  kMutexAcquired = 27,
  kNestLock = 28,
  kFlush = 29,
  kCancellation = 30,
  kReductionEvent = 31,
  kDispatch = 32,
  kTargetEmi = 33,
  kTargetDataOpEmi = 34,
  kTargetSubmitEmi = 35,
  kEventCount = 38,
};

enum Endpoint : int { kBegin = 1, kEnd = 2 };

enum Work : int {
  kLoop = 1,
  kSections = 2,
  kSingleExecutor = 3,
  kSingleOther = 4,
  kWorkshare = 5,
  kDistribute = 6,
  kTaskloop = 7
};

enum Sync : int {
  kBarrier = 1,
  kBarrierImplicit = 2,
  kBarrierExplicit = 3,
  kBarrierImplementation = 4,
  kTaskwait = 5,
  kTaskgroup = 6,
  kReduction = 7,
  kBarrierImplicitWorkshare = 8,
  kBarrierImplicitParallel = 9,
  kBarrierTeams = 10,
};

enum Mutex : int {
  kLock = 1,
  kTestLock = 2,
  kNestedLock = 3,
  kTestNestedLock = 4,
  kCritical = 5,
  kAtomic = 6,
  kOrdered = 7,
};

/// Those that need not be waited for have 8 more.
enum Target : int { kTargetRegion = 1, kEnterData = 2, kExitData = 3, kUpdate = 4 };

enum DataOp : int { kAlloc = 1, kToDevice = 2, kFromDevice = 3, kDelete = 4 };

inline constexpr int kTaskInitial = 1, kTaskExplicit = 4;
inline constexpr int kParallelLeague = 0x40000000;  // the league of a teams construct
enum TaskStatus : int {
  kComplete = 1,
  kYield = 2,
  kCancel = 3,
  kDetach = 4,
  kEarlyFulfill = 5,
  kLateFulfill = 6,
  kSwitch = 7,
  kTaskwaitComplete = 8
};

using Callback = void (*)();
using Lookup = Callback (*)(const char* name);
/// A function, as the runtime takes all of them.
template <class Function>
Callback plain(Function* function) {
  return reinterpret_cast<Callback>(function);
}

using SetCallback = int (*)(int event, Callback callback);

struct StartToolResult {
  int (*initialize)(Lookup lookup, int device, Data* tool);
  void (*finalize)(Data* tool);
  Data tool;
};

}  // namespace tarry::measure::ompt

/// Where the runtime finds a tool.
extern "C" __attribute__((visibility("default"))) tarry::measure::ompt::StartToolResult* ompt_start_tool(
    unsigned omp_version, const char* runtime);
