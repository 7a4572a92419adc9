// queues.cpp -- the queues of the program, and what is under way in them.
//
// A driver tells when a command has ended (clSetEventCallback), in a thread of its own. Until then the layer keeps the
// command's event, and nothing longer. A driver may do so while it holds a lock of its own, so nothing of OpenCL is
// called under the lock of the layer.
#include <atomic>
#include <cstdlib>
#include <new>

#include "measure/opencl-layer/layer.hpp"

namespace tarry::measure {
namespace {

std::atomic<LayerQueue*> g_queues = nullptr;  // queues are only ever added in front

bool time_of(cl_event event, cl_profiling_info what, std::int64_t& ns) {
  cl_ulong time = 0;
  if (g_next.clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) != CL_SUCCESS) return false;
  ns = static_cast<std::int64_t>(time);
  return ns != 0;
}

// False if there are no times of it.
bool add_times(cl_event event, DoneWork& done) {
  return time_of(event, CL_PROFILING_COMMAND_QUEUED, done.queued) &&
         time_of(event, CL_PROFILING_COMMAND_START, done.begin) && time_of(event, CL_PROFILING_COMMAND_END, done.end) &&
         done.end >= done.begin;
}

void CL_CALLBACK work_has_ended(cl_event event, cl_int status, void* pending) {
  auto* const work = static_cast<PendingWork*>(pending);
  work->done.told = host_ns();
  work->done.kernel = work->kernel;
  const bool is_known = status == CL_COMPLETE && add_times(event, work->done);
  g_hooks->work_done(work->queue, is_known ? &work->done : nullptr);
  g_next.clReleaseEvent(event);
  std::free(work->kernel);
  std::free(work);
}

bool is_in_order(cl_command_queue_properties flags) { return !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }

// One of a queue that was released. What that has still under way is taken for needed.
bool reuse_queue(cl_command_queue handle, cl_device_id device, const GivenProperties& given,
                 cl_command_queue_properties flags) {
  bool is_found = false;
  locked([&] {
    for (LayerQueue* queue = g_queues; queue && !is_found; queue = queue->next) {
      if (queue->handle || queue->device != device) continue;
      queue->references = 1;
      queue->given = given;
      queue->order.barrier = queue->order.latest.load();
      queue->order.is_kept = is_in_order(flags);
      queue->handle = handle;
      is_found = true;
    }
  });
  return is_found;
}

void open_recording(LayerQueue& queue) {
  if (!g_hooks->records_queues()) return;
  locked([&] {
    if (queue.is_opened) return;
    queue.recording = g_hooks->open_queue(queue.name, queue.name, Paradigm::kOpenCl);
    queue.is_opened.store(true, std::memory_order_release);
  });
}

LayerQueue* new_queue(cl_command_queue handle, cl_device_id device, const GivenProperties& given,
                      cl_command_queue_properties flags) {
  void* const memory = std::malloc(sizeof(LayerQueue));
  if (!memory) return nullptr;
  auto* const queue = new (memory) LayerQueue;
  queue->handle = handle;
  queue->device = device;
  g_next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof queue->name, queue->name, nullptr);
  queue->name[sizeof queue->name - 1] = '\0';
  queue->given = given;
  queue->order.is_kept = is_in_order(flags);
  return queue;
}

}  // namespace

void add_queue(cl_command_queue handle, cl_device_id device, const GivenProperties& given,
               cl_command_queue_properties flags) {
  if (reuse_queue(handle, device, given, flags)) return;
  LayerQueue* const queue = new_queue(handle, device, given, flags);
  if (!queue) return;
  locked([&] {
    queue->next = g_queues.load(std::memory_order_relaxed);
    g_queues.store(queue, std::memory_order_release);
  });
}

LayerQueue* find_queue(cl_command_queue handle) {
  LayerQueue* found = handle ? g_queues.load(std::memory_order_acquire) : nullptr;
  while (found && found->handle.load(std::memory_order_relaxed) != handle) found = found->next;
  return found;
}

LayerQueue* find_recorded_queue(cl_command_queue handle) {
  LayerQueue* const queue = find_queue(handle);
  if (!queue) return nullptr;
  if (!queue->is_opened.load(std::memory_order_acquire)) open_recording(*queue);
  return queue->is_opened.load(std::memory_order_acquire) && queue->recording ? queue : nullptr;
}

void retain_queue(cl_command_queue handle) {
  LayerQueue* const queue = find_queue(handle);
  if (queue) locked([&] { ++queue->references; });
}

void release_queue(cl_command_queue handle) {
  LayerQueue* const queue = find_queue(handle);
  if (!queue) return;
  locked([&] {
    if (--queue->references == 0) queue->handle = nullptr;
  });
}

void watch_work(const PendingWork& work, cl_event event) {
  void* const memory = std::malloc(sizeof(PendingWork));
  g_hooks->work_started(work.queue);
  if (memory) {
    auto* const kept = new (memory) PendingWork(work);
    if (g_next.clSetEventCallback(event, CL_COMPLETE, work_has_ended, kept) == CL_SUCCESS) return;
  }
  g_hooks->work_done(work.queue, nullptr);
  g_next.clReleaseEvent(event);
  std::free(work.kernel);
  std::free(memory);
}

}  // namespace tarry::measure
