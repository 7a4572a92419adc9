// queue_calls.cpp -- calls of queues alone: these are created with profiling, and answer as if they were not.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "measure/opencl-layer/layer.hpp"
#include "measure/opencl-layer/recorded_function.hpp"

namespace tarry::measure {
namespace {

// Without profiling if the device has none.
cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int* outcome) {
  const void* const caller = processor::stack_of_caller_here();
  const DeviceCall record = g_hooks->begin(g_function<&cl_icd_dispatch::clCreateCommandQueue>, caller);
  cl_command_queue queue = nullptr;
  if (g_hooks->may_record_queues())
    queue = g_next.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, nullptr);
  const bool is_profiled = queue != nullptr;
  if (!is_profiled) queue = g_next.clCreateCommandQueue(context, device, properties, outcome);
  else if (outcome) *outcome = CL_SUCCESS;
  GivenProperties given;
  given.are_kept = !(properties & CL_QUEUE_PROFILING_ENABLE);
  if (is_profiled) add_queue(queue, device, given, properties);
  if (record.thread) g_hooks->end(record, caller, {});
  return queue;
}

// The list with profiling; false if it needs none, or is too long.
bool with_profiling(const cl_queue_properties* given, GivenProperties& kept, cl_queue_properties* changed) {
  bool has_properties = false;
  for (; given && given[kept.count] != 0; kept.count += 2) {
    if (kept.count + 4 > std::size(kept.list)) return false;
    std::memcpy(kept.list + kept.count, given + kept.count, 2 * sizeof(cl_queue_properties));
    std::memcpy(changed + kept.count, given + kept.count, 2 * sizeof(cl_queue_properties));
    if (given[kept.count] != CL_QUEUE_PROPERTIES) continue;
    has_properties = true;
    if (given[kept.count + 1] & CL_QUEUE_PROFILING_ENABLE) return false;
    changed[kept.count + 1] |= CL_QUEUE_PROFILING_ENABLE;
  }
  std::size_t end = kept.count;
  if (!has_properties) {
    changed[end++] = CL_QUEUE_PROPERTIES;
    changed[end++] = CL_QUEUE_PROFILING_ENABLE;
  }
  changed[end] = 0;
  if (given) ++kept.count;
  return true;
}

cl_command_queue_properties flags_in(const cl_queue_properties* given) {
  for (; given && given[0] != 0; given += 2)
    if (given[0] == CL_QUEUE_PROPERTIES) return given[1];
  return 0;
}

cl_command_queue CL_API_CALL create_queue_with_properties(cl_context context, cl_device_id device,
                                                          const cl_queue_properties* given, cl_int* outcome) {
  const void* const caller = processor::stack_of_caller_here();
  const DeviceCall record = g_hooks->begin(g_function<&cl_icd_dispatch::clCreateCommandQueueWithProperties>, caller);
  const bool is_recorded = g_hooks->may_record_queues();
  const cl_command_queue_properties flags = flags_in(given);
  GivenProperties kept;
  cl_queue_properties changed[std::size(kept.list) + 2] = {};
  cl_command_queue queue = nullptr;
  if (is_recorded && !(flags & CL_QUEUE_ON_DEVICE) && with_profiling(given, kept, changed))
    queue = g_next.clCreateCommandQueueWithProperties(context, device, changed, nullptr);
  kept.are_kept = queue != nullptr;
  if (!queue) queue = g_next.clCreateCommandQueueWithProperties(context, device, given, outcome);
  else if (outcome) *outcome = CL_SUCCESS;
  const bool is_profiled = kept.are_kept || (flags & CL_QUEUE_PROFILING_ENABLE);
  if (queue && is_recorded && is_profiled && !(flags & CL_QUEUE_ON_DEVICE)) add_queue(queue, device, kept, flags);
  if (record.thread) g_hooks->end(record, caller, {});
  return queue;
}

cl_int CL_API_CALL retain(cl_command_queue queue) {
  const cl_int outcome = g_next.clRetainCommandQueue(queue);
  if (outcome == CL_SUCCESS) retain_queue(queue);
  return outcome;
}

// With its last reference the program gives the queue up, whatever the driver still needs it for.
cl_int CL_API_CALL release(cl_command_queue queue) {
  const void* const caller = processor::stack_of_caller_here();
  const DeviceCall record = g_hooks->begin(g_function<&cl_icd_dispatch::clReleaseCommandQueue>, caller);
  release_queue(queue);
  const cl_int outcome = g_next.clReleaseCommandQueue(queue);
  if (record.thread) g_hooks->end(record, caller, {});
  return outcome;
}

// As the driver answers of a list.
cl_int tell_list(const GivenProperties& given, size_t size, void* value, size_t* size_written) {
  const std::size_t wanted = given.count * sizeof(cl_queue_properties);
  if (value && size < wanted) return CL_INVALID_VALUE;
  if (value && wanted > 0) std::memcpy(value, given.list, wanted);
  if (size_written) *size_written = wanted;
  return CL_SUCCESS;
}

// Answers as the driver would have without us.
cl_int CL_API_CALL queue_info(cl_command_queue handle, cl_command_queue_info what, size_t size, void* value,
                              size_t* size_written) {
  LayerQueue* const queue = find_queue(handle);
  const bool is_changed = queue && queue->given.are_kept;
  std::size_t changed_size = 0;
  if (is_changed && what == CL_QUEUE_PROPERTIES_ARRAY &&
      g_next.clGetCommandQueueInfo(handle, what, 0, nullptr, &changed_size) == CL_SUCCESS)
    return tell_list(queue->given, size, value, size_written);
  const cl_int outcome = g_next.clGetCommandQueueInfo(handle, what, size, value, size_written);
  if (is_changed && what == CL_QUEUE_PROPERTIES && outcome == CL_SUCCESS && value)
    *static_cast<cl_command_queue_properties*>(value) &= ~cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE};
  return outcome;
}

// Waits for what was put into a queue.
cl_int CL_API_CALL finish(cl_command_queue handle) {
  const void* const caller = processor::stack_of_caller_here();
  const LayerQueue* const queue = find_recorded_queue(handle);
  const DeviceCall record = g_hooks->begin(g_function<&cl_icd_dispatch::clFinish>, caller);
  const cl_int outcome = g_next.clFinish(handle);
  if (record.thread) g_hooks->end(record, caller, {queue ? queue->recording : nullptr, 0});
  return outcome;
}

}  // namespace

void replace_queue_calls(cl_icd_dispatch& table) {
  using Calls = cl_icd_dispatch;
  put_in_front<&Calls::clCreateCommandQueue>(table, create_queue, "clCreateCommandQueue");
  put_in_front<&Calls::clCreateCommandQueueWithProperties>(table, create_queue_with_properties,
                                                           "clCreateCommandQueueWithProperties");
  put_in_front<&Calls::clReleaseCommandQueue>(table, release, "clReleaseCommandQueue");
  put_in_front<&Calls::clFinish>(table, finish, "clFinish");
  put_in_front<&Calls::clRetainCommandQueue>(table, retain);
  put_in_front<&Calls::clGetCommandQueueInfo>(table, queue_info);
}

}  // namespace tarry::measure
