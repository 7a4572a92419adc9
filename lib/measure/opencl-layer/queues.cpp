// queues.cpp -- what is under way in the queues of the program, and when it has ended by the clock of the host.
//
// A command is known by its event. A driver may call the program back while it holds a lock of its own. So nothing of
// OpenCL is called under the lock of the devices.
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>

#include "measure/opencl-layer/layer.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kUsuallyUnderWay = 64;  // more are looked at when one is added
constexpr std::size_t kMostUnderWay = 4096;   // of a queue out of order, whose work is recorded when all has ended

std::atomic<LayerQueue*> g_queues = nullptr;  // queues are only ever added in front
std::atomic<std::uint64_t> g_work = 0;
std::atomic<bool> g_is_told_of_exit = false;

bool has_ended(const PendingWork& work) {
  cl_int status = CL_QUEUED;
  const cl_int outcome =
      g_next.clGetEventInfo(work.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return outcome != CL_SUCCESS || status <= CL_COMPLETE;  // negative: it has failed
}

bool time_of(const PendingWork& work, cl_profiling_info what, std::int64_t& ns) {
  cl_ulong time = 0;
  if (g_next.clGetEventProfilingInfo(work.event, what, sizeof time, &time, nullptr) != CL_SUCCESS) return false;
  ns = static_cast<std::int64_t>(time);
  return ns != 0;
}

// The device says when the command was queued: while the host made the call. Clocks drift, so old bounds widen.
void compare_clocks(LayerQueue& queue, const PendingWork& work, std::int64_t queued) {
  constexpr std::int64_t kDrift = 20;  // nanoseconds from one command to the next
  const std::int64_t least = work.called_ns - queued, most = work.returned_ns - queued;
  if (queue.least_ahead != INT64_MIN) queue.least_ahead -= kDrift;
  if (queue.most_ahead != INT64_MAX) queue.most_ahead += kDrift;
  if (least > queue.most_ahead || most < queue.least_ahead) {
    queue.least_ahead = least;
    queue.most_ahead = most;
    return;
  }
  if (least > queue.least_ahead) queue.least_ahead = least;
  if (most < queue.most_ahead) queue.most_ahead = most;
}

// False if there are no times of it.
bool finish_work(LayerQueue& queue, const PendingWork& work, DoneWork& done) {
  std::int64_t queued = 0, begin = 0, end = 0;
  if (!time_of(work, CL_PROFILING_COMMAND_QUEUED, queued) || !time_of(work, CL_PROFILING_COMMAND_START, begin) ||
      !time_of(work, CL_PROFILING_COMMAND_END, end) || end < begin)
    return false;
  compare_clocks(queue, work, queued);
  const std::int64_t ahead = queue.least_ahead + (queue.most_ahead - queue.least_ahead) / 2;
  done = {.kind = work.kind,
          .kernel = work.kernel,
          .bytes = work.bytes,
          .work = work.work,
          .begin_ns = begin + ahead,
          .end_ns = end + ahead};
  return true;
}

// What a thread has taken from a queue to look at.
struct Taken {
  PendingWork* first = nullptr;
  std::size_t count = 0;
};

Taken take(LayerQueue& queue) {
  Taken taken;
  locked([&] {
    if (queue.is_harvested || !queue.first) return;
    queue.is_harvested = true;
    taken = {queue.first, queue.count};
    queue.first = queue.last = nullptr;
    queue.count = 0;
  });
  return taken;
}

// How many from the first on can be recorded now.
std::size_t count_ended(const LayerQueue& queue, const Taken& taken) {
  std::size_t ended = 0;
  const PendingWork* work = taken.first;
  for (; work && has_ended(*work); work = work->next) ++ended;
  if (!queue.is_in_order && work && taken.count < kMostUnderWay) return 0;
  return ended;
}

void put_back(LayerQueue& queue, PendingWork* rest, std::size_t count) {
  if (!rest) return;
  PendingWork* last = rest;
  while (last->next) last = last->next;
  last->next = queue.first;
  queue.first = rest;
  if (!queue.last) queue.last = last;
  queue.count += count;
}

void release(PendingWork* first, std::size_t count) {
  for (; count > 0; --count) {
    PendingWork* const work = first;
    first = work->next;
    g_next.clReleaseEvent(work->event);
    std::free(work->kernel);
    std::free(work);
  }
}

// One of a queue that was released, whose work has been recorded.
bool reuse_queue(cl_command_queue handle, cl_device_id device, bool is_in_order) {
  bool is_found = false;
  locked([&] {
    for (LayerQueue* queue = g_queues; queue && !is_found; queue = queue->next) {
      if (queue->handle || queue->device != device || queue->first || queue->is_harvested) continue;
      queue->is_in_order = is_in_order;
      queue->handle = handle;
      is_found = true;
    }
  });
  return is_found;
}

LayerQueue* new_queue(cl_command_queue handle, cl_device_id device, bool is_in_order) {
  char name[256] = "";
  g_next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  name[sizeof name - 1] = '\0';
  DeviceQueue* const recording = g_hooks->open_queue(name, name, Paradigm::kOpenCl);
  void* const memory = recording ? std::malloc(sizeof(LayerQueue)) : nullptr;
  if (!memory) return nullptr;
  return new (memory)
      LayerQueue{.handle = handle, .device = device, .recording = recording, .is_in_order = is_in_order};
}

}  // namespace

std::uint64_t next_work_number() { return g_work.fetch_add(1, std::memory_order_relaxed) + 1; }

std::int64_t host_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Queues are few. What the program ends without waiting for is looked at when it exits: before the drivers are gone,
// whose handlers were there first.
void add_queue(cl_command_queue handle, cl_device_id device, bool is_in_order) {
  if (reuse_queue(handle, device, is_in_order)) return;
  LayerQueue* const queue = new_queue(handle, device, is_in_order);
  if (!queue) return;
  if (!g_is_told_of_exit.exchange(true)) std::atexit(harvest_all);
  locked([&] {
    queue->next = g_queues.load(std::memory_order_relaxed);
    g_queues.store(queue, std::memory_order_release);
  });
}

LayerQueue* find_queue(cl_command_queue handle) {
  LayerQueue* found = g_queues.load(std::memory_order_acquire);
  while (found && found->handle.load(std::memory_order_relaxed) != handle) found = found->next;
  return found;
}

void forget_queue(cl_command_queue handle) {
  LayerQueue* const queue = find_queue(handle);
  if (!queue) return;
  harvest(*queue);
  queue->handle = nullptr;
}

void add_work(LayerQueue& queue, const PendingWork& work) {
  auto* const kept = static_cast<PendingWork*>(std::malloc(sizeof(PendingWork)));
  if (!kept) return void(g_next.clReleaseEvent(work.event));
  *kept = work;
  std::size_t count = 0;
  locked([&] {
    (queue.last ? queue.last->next : queue.first) = kept;
    queue.last = kept;
    count = ++queue.count;
  });
  if (count % kUsuallyUnderWay == 0) harvest(queue);
}

void harvest(LayerQueue& queue) {
  const Taken taken = take(queue);
  if (!taken.first) return;
  const std::size_t ended = count_ended(queue, taken);
  auto* const done = static_cast<DoneWork*>(std::malloc((ended + 1) * sizeof(DoneWork)));
  std::size_t with_times = 0;
  PendingWork* rest = taken.first;
  for (std::size_t i = 0; i < ended; ++i, rest = rest->next)
    if (done && finish_work(queue, *rest, done[with_times])) ++with_times;
  locked([&] {
    if (with_times > 0) g_hooks->execute(queue.recording, done, with_times);
    put_back(queue, rest, taken.count - ended);
    queue.is_harvested = false;
  });
  std::free(done);
  release(taken.first, ended);
}

void harvest_all() {
  for (LayerQueue* queue = g_queues.load(std::memory_order_acquire); queue; queue = queue->next) harvest(*queue);
}

}  // namespace tarry::measure
