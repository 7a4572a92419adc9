// target_callbacks.cpp -- target constructs on the host, and what their devices execute.
//
// A plug-in starts a kernel and comes back; the rest of the construct waits for it. When the kernel begins and ends
// only the device knows. The plug-in "generic" stands for a device: it executes kernels and copies in the calling
// thread. So they begin and end with the calls, and go to a queue. What the thread does in a kernel is not the host's
// work.
#include "measure/openmp/target_callbacks.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "measure/callpath/calling_code.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/devices/device_queue.hpp"
#include "measure/openmp/omp_thread.hpp"

namespace tarry::measure {
namespace {

constexpr int kMostDevices = 64;  // further ones have no queues
constexpr int kNotWaitedFor = 8;  // added to the kind of a target construct

struct TargetDevice {
  std::atomic<bool> is_host = false;  // its kernels run in the calling thread
  DeviceQueue* queue = nullptr;       // guarded by the lock
};

constinit TargetDevice g_devices[kMostDevices];
constinit RecorderLock g_lock;
constinit std::atomic<int> g_kernels = 0;  // that threads are in

bool is_host(int device) {
  return device >= 0 && device < kMostDevices && g_devices[device].is_host.load(std::memory_order_acquire);
}

// nullptr: what it executes is not known, or not recorded.
DeviceQueue* queue_of(int device) {
  if (!is_host(device) || !settings().traces || is_construct_left_out(Construct::kTargetKernel)) return nullptr;
  const Locked lock(g_lock);
  DeviceQueue*& queue = g_devices[device].queue;
  if (!queue) {
    const std::string name = "OpenMP device " + std::to_string(device);
    queue = open_device_queue(name.c_str(), name.c_str(), Paradigm::kOpenMp);
  }
  return queue;
}

// nullptr: nothing is recorded here and now. A thread of the runtime's own may execute the construct.
Thread* recorded_thread() {
  if (!records_omp() || kernel_team()) return nullptr;
  return t_thread ? current_thread() : adopt_worker();
}

void enter_part(const Thread* thread, Construct construct, const void* place) {
  enter_construct(construct, thread ? region_at(construct, place) : RegionId());
}

void end_wait(OpenTarget& target) {
  if (std::exchange(target.is_waiting, false)) leave_construct();
}

void begin_wait(Thread* thread, OpenTarget& target) {
  enter_part(thread, Construct::kTargetWait, target.place);
  target.is_waiting = true;
}

// ---- kernels and copies

void begin_work(OpenTarget& target, int device) {
  target.queue = queue_of(device);
  if (!target.queue) return;
  note_started_work(target.queue);
  target.work = new_work_number();
  record_work(target.queue->number, target.work);
}

// By the clock of the host, which is that of the device.
void end_work(const OpenTarget& target, DoneWork work) {
  if (!target.queue) return;
  work.work = target.work;
  work.queued = work.called = work.returned = work.begin = target.begin;
  work.end = monotonic_ns();
  record_done_work(target.queue, &work);
}

// A program may exit while another thread is in a kernel. The library for devices unloads the kernel then, and the
// program crashes, if it is still there. To close the recording takes time, so that comes first.
void close_before_kernels_go() {
  if (g_kernels.load() > 0) finish_alone();
}

// Handlers run the latest first, and the library has its own from the start of the program on.
void prepare_exit() {
  static constinit std::atomic<bool> is_prepared = false;
  if (!is_prepared.exchange(true)) std::atexit(close_before_kernels_go);
}

void begin_submit(Thread* thread, OpenTarget& target) {
  end_wait(target);
  enter_part(thread, Construct::kTargetLaunch, target.place);
  if (!is_host(target.device)) return;
  begin_work(target, target.device);
  leave_construct();
  begin_wait(thread, target);
  if (target.queue) record_work(target.queue->number, 0);
  prepare_exit();
  g_kernels.fetch_add(1);
  target.begin = monotonic_ns();
  begin_kernel();
}

void end_submit(Thread* thread, OpenTarget& target) {
  if (is_host(target.device)) {
    g_kernels.fetch_sub(1);
    end_kernel();
    end_work(target, {.region = region_at(Construct::kTargetKernel, target.place)});
    return end_wait(target);
  }
  leave_construct();
  target.has_kernel = true;
  begin_wait(thread, target);
}

void begin_copy(Thread* thread, OpenTarget& target, int device, const void* place) {
  end_wait(target);
  enter_part(thread, Construct::kTargetCopy, place);
  begin_work(target, device);
  target.begin = monotonic_ns();
}

void end_copy(Thread* thread, OpenTarget& target, DoneWork copy) {
  end_work(target, copy);
  leave_construct();
  if (target.has_kernel) begin_wait(thread, target);
}

// ---- what the runtime tells

void on_device_initialize(int device, const char* type, void*, ompt::Lookup, const char*) {
  note_omp_devices();
  if (device < 0 || device >= kMostDevices) return;
  g_devices[device].is_host.store(type && std::strncmp(type, "generic", 7) == 0, std::memory_order_release);
}

Construct target_construct(int kind) {
  switch (kind % kNotWaitedFor) {
    case ompt::kEnterData: return Construct::kTargetEnterData;
    case ompt::kExitData: return Construct::kTargetExitData;
    case ompt::kUpdate: return Construct::kTargetUpdate;
    default: return Construct::kTarget;
  }
}

void on_target(int kind, int endpoint, int device, ompt::Task*, ompt::Task*, ompt::Data*, const void* address) {
  Thread* const thread = recorded_thread();
  if (!thread) return;
  OpenTarget& target = kOpenTarget.of(*thread);
  if (endpoint == ompt::kBegin) {
    target = {.place = address, .device = device};
    return enter_part(thread, target_construct(kind), address);
  }
  end_wait(target);
  target = {};
  leave_construct();
}

void on_target_data_op(int endpoint, ompt::Task*, ompt::Data*, std::uint64_t*, int operation, void*, int source, void*,
                       int destination, std::size_t bytes, const void* address) {
  Thread* const thread = recorded_thread();
  if (!thread || (operation != ompt::kToDevice && operation != ompt::kFromDevice)) return;
  OpenTarget& target = kOpenTarget.of(*thread);
  const bool is_out = operation == ompt::kFromDevice;
  const int device = is_out ? source : destination;
  if (endpoint == ompt::kBegin) return begin_copy(thread, target, device, target.place ? target.place : address);
  end_copy(thread, target,
           {.kind = is_out ? DoneWork::Kind::kCopyToHost : DoneWork::Kind::kCopyToDevice, .bytes = bytes});
}

// The thread is in the kernel when that ends. The recording may have begun inside of the construct: then it is none.
void on_target_submit(int endpoint, ompt::Data*, std::uint64_t*, unsigned) {
  Thread* const thread = records_omp() ? current_thread() : nullptr;
  if (!thread) return;
  OpenTarget& target = kOpenTarget.of(*thread);
  if (!target.place) return;
  if (endpoint == ompt::kBegin) begin_submit(thread, target);
  else end_submit(thread, target);
}

}  // namespace

void watch_targets(ompt::SetCallback set) {
  set(ompt::kDeviceInitialize, ompt::plain(on_device_initialize));
  set(ompt::kTargetEmi, ompt::plain(on_target));
  set(ompt::kTargetDataOpEmi, ompt::plain(on_target_data_op));
  set(ompt::kTargetSubmitEmi, ompt::plain(on_target_submit));
}

}  // namespace tarry::measure
