// gomp_taskloops.cpp -- task loops and task groups of GCC, which OPARI2 does not see.
//
// `tarry instrument` makes the linker lead GCC's calls of the runtime to these functions. Who creates a task of a loop,
// and when, only the runtime knows: it is recorded right before the task runs.
//
// The runtime gives each task a copy of a block of data, and writes the task's part of the loop to the first two words.
// Its block is ours: behind a head of our own, it has that of the program.
#include <alloca.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "measure/callpath/function_regions.hpp"
#include "measure/openmp/omp_thread.hpp"

using Body = void (*)(void*);
using Copy = void (*)(void* to, void* from);

extern "C" {
#pragma weak GOMP_taskloop
#pragma weak GOMP_taskloop_ull
#pragma weak GOMP_taskgroup_start
#pragma weak GOMP_taskgroup_end
void GOMP_taskloop(Body, void*, Copy, long, long, unsigned, unsigned long, int, long, long, long);
void GOMP_taskloop_ull(Body, void*, Copy, long, long, unsigned, unsigned long, int, unsigned long long,
                       unsigned long long, unsigned long long);
void GOMP_taskgroup_start();
void GOMP_taskgroup_end();
}

namespace tarry::measure {
namespace {

constexpr unsigned kNoGroup = 1u << 11, kReduction = 1u << 12;  // flags of GCC
constexpr std::size_t kMostData = 1 << 14;  // bytes: of a loop with more, the tasks are not recorded

struct TaskHead {
  std::uint64_t bounds[2];  // of the task's part: the runtime writes them
  void* reductions;         // the runtime reads it there
  Body body;
  Copy copy;    // nullptr: the data are copied as they are
  void* data;   // of the program, where the loop is
  long offset;  // of the data behind this
  RegionId region;
};

void* data_of(void* block) { return static_cast<char*>(block) + static_cast<TaskHead*>(block)->offset; }

void copy_block(void* to, void* from) {
  std::memcpy(to, from, sizeof(TaskHead));
  const auto& head = *static_cast<TaskHead*>(from);
  head.copy(data_of(to), head.data);
}

void run_task(void* block) {
  const auto& head = *static_cast<TaskHead*>(block);
  void* const data = data_of(block);
  std::memcpy(data, head.bounds, sizeof head.bounds);
  if (is_omp_recorded()) {
    const std::uint64_t thread = t_thread->number, number = count_task();
    record_task<record::ThreadTaskCreate>(thread, number);
    record_task<record::ThreadTaskSwitch>(thread, number);
  }
  enter_explicit_task(head.region);
  head.body(data);
  leave_construct();
}

void enter_at(Construct construct, const void* place) {
  enter_construct(construct, is_recording() ? region_at(construct, place) : RegionId());
}

// What GCC hands over about a loop.
struct Taskloop {
  Body body;
  void* data;
  Copy copy;
  long size, align;
  unsigned flags;
};

// A call has no line of its own: what it leads to does. A place is behind a call.
const void* place_of(Body body) { return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(body)) + 1; }

// Has the loop run by `run(loop)`, with blocks of ours.
template <class Run>
void run_recorded(Taskloop loop, Run run) {
  if (static_cast<std::size_t>(loop.size) > kMostData || static_cast<std::size_t>(loop.align) > kMostData)
    return run(loop);
  mark_outlined(reinterpret_cast<std::uintptr_t>(loop.body));
  const long align = std::max(loop.align, long{alignof(TaskHead)});
  const long offset = (long{sizeof(TaskHead)} + align - 1) / align * align;
  auto address = reinterpret_cast<std::uintptr_t>(alloca(static_cast<std::size_t>(offset + loop.size + align)));
  address = (address + static_cast<std::uintptr_t>(align) - 1) / static_cast<std::uintptr_t>(align) *
            static_cast<std::uintptr_t>(align);
  auto* const head =
      new (reinterpret_cast<void*>(address)) TaskHead{.bounds = {},
                                                      .reductions = nullptr,
                                                      .body = loop.body,
                                                      .copy = loop.copy,
                                                      .data = loop.data,
                                                      .offset = offset,
                                                      .region = region_at(Construct::kTask, place_of(loop.body))};
  if (loop.flags & kReduction) head->reductions = static_cast<void**>(loop.data)[2];
  if (!loop.copy) std::memcpy(data_of(head), loop.data, static_cast<std::size_t>(loop.size));
  run({run_task, head, loop.copy ? copy_block : nullptr, offset + loop.size, align, loop.flags});
}

// The group of a loop is one of ours, so that the wait at its end is seen. With a reduction, the runtime makes it.
template <class Run>
void run_taskloop(Taskloop loop, Run run) {
  if (!is_in_team() || !is_recording()) return run(loop);
  const void* const place = place_of(loop.body);
  const bool has_group = !(loop.flags & (kNoGroup | kReduction));
  if (has_group) {
    enter_at(Construct::kTaskgroup, place);
    GOMP_taskgroup_start();
    loop.flags |= kNoGroup;
  }
  enter_at(Construct::kTaskloop, place);
  run_recorded(loop, run);
  leave_construct();
  if (!has_group) return;
  GOMP_taskgroup_end();
  leave_construct();
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

#define TARRY_WRAPPED extern "C" __attribute__((visibility("default"))) void

TARRY_WRAPPED __wrap_GOMP_taskloop(Body body, void* data, Copy copy, long size, long align, unsigned flags,
                                   unsigned long tasks, int priority, long begin, long end, long step) {
  run_taskloop({body, data, copy, size, align, flags}, [&](const Taskloop& loop) {
    GOMP_taskloop(loop.body, loop.data, loop.copy, loop.size, loop.align, loop.flags, tasks, priority, begin, end,
                  step);
  });
}

TARRY_WRAPPED __wrap_GOMP_taskloop_ull(Body body, void* data, Copy copy, long size, long align, unsigned flags,
                                       unsigned long tasks, int priority, unsigned long long begin,
                                       unsigned long long end, unsigned long long step) {
  run_taskloop({body, data, copy, size, align, flags}, [&](const Taskloop& loop) {
    GOMP_taskloop_ull(loop.body, loop.data, loop.copy, loop.size, loop.align, loop.flags, tasks, priority, begin, end,
                      step);
  });
}

TARRY_WRAPPED __wrap_GOMP_taskgroup_start() {
  if (is_in_team()) enter_at(Construct::kTaskgroup, __builtin_return_address(0));
  GOMP_taskgroup_start();
}

TARRY_WRAPPED __wrap_GOMP_taskgroup_end() {
  GOMP_taskgroup_end();
  if (is_in_team()) leave_construct();
}
