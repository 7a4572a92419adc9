// creation_calls.cpp -- queues are created with profiling, and say what the program has asked for all the same.
#include <cstring>

#include "measure/opencl-layer/layer.hpp"
#include "measure/opencl-layer/recorded_function.hpp"

namespace tarry::measure {
namespace {

// The properties of a queue that the program did not ask to be profiled.
struct Unprofiled {
  cl_command_queue handle = nullptr;
  cl_queue_properties properties[16] = {};  // as it gave them, with the zero at the end
  std::size_t count = 0;                    // 0: by the older function
};

constexpr std::size_t kMostUnprofiled = 256;  // others say that they are profiled
Unprofiled g_unprofiled[kMostUnprofiled];

void note_unprofiled(const Unprofiled& queue) {
  locked([&] {
    for (Unprofiled& place : g_unprofiled) {
      if (place.handle) continue;
      place = queue;
      return;
    }
  });
}

Unprofiled find_unprofiled(cl_command_queue handle, bool is_released) {
  Unprofiled found;
  locked([&] {
    for (Unprofiled& place : g_unprofiled) {
      if (place.handle != handle) continue;
      found = place;
      if (is_released) place.handle = nullptr;
      return;
    }
  });
  return found;
}

constexpr bool is_in_order(cl_command_queue_properties properties) {
  return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// Without profiling if the device has none.
cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int* outcome) {
  const void* const caller = processor::stack_of_caller_here();
  const DeviceCall record = g_hooks->begin(g_function<&cl_icd_dispatch::clCreateCommandQueue>, caller);
  cl_command_queue queue = nullptr;
  if (g_hooks->records_queues())
    queue = g_next.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, nullptr);
  const bool is_profiled = queue != nullptr;
  if (!is_profiled) queue = g_next.clCreateCommandQueue(context, device, properties, outcome);
  else if (outcome) *outcome = CL_SUCCESS;
  if (is_profiled && !(properties & CL_QUEUE_PROFILING_ENABLE)) note_unprofiled({.handle = queue});
  if (is_profiled) add_queue(queue, device, is_in_order(properties));
  if (record.thread) g_hooks->end(record, caller, {});
  return queue;
}

// The list with profiling; false if it needs none, or is too long.
bool with_profiling(const cl_queue_properties* given, Unprofiled& original, cl_queue_properties* changed) {
  bool has_properties = false;
  for (; given && given[original.count] != 0; original.count += 2) {
    if (original.count + 4 > std::size(original.properties)) return false;
    std::memcpy(original.properties + original.count, given + original.count, 2 * sizeof(cl_queue_properties));
    std::memcpy(changed + original.count, given + original.count, 2 * sizeof(cl_queue_properties));
    if (given[original.count] != CL_QUEUE_PROPERTIES) continue;
    has_properties = true;
    if (given[original.count + 1] & CL_QUEUE_PROFILING_ENABLE) return false;
    changed[original.count + 1] |= CL_QUEUE_PROFILING_ENABLE;
  }
  std::size_t end = original.count;
  if (!has_properties) {
    changed[end++] = CL_QUEUE_PROPERTIES;
    changed[end++] = CL_QUEUE_PROFILING_ENABLE;
  }
  changed[end] = 0;
  if (given) ++original.count;
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
  Unprofiled original;
  cl_queue_properties changed[std::size(original.properties) + 2] = {};
  cl_command_queue queue = nullptr;
  const bool is_recorded = g_hooks->records_queues();
  if (is_recorded && with_profiling(given, original, changed))
    queue = g_next.clCreateCommandQueueWithProperties(context, device, changed, nullptr);
  const bool is_changed = queue != nullptr;
  if (!is_changed) queue = g_next.clCreateCommandQueueWithProperties(context, device, given, outcome);
  else if (outcome) *outcome = CL_SUCCESS;
  original.handle = queue;
  if (is_changed) note_unprofiled(original);
  const cl_command_queue_properties flags = flags_in(given);
  const bool is_profiled = is_changed || (flags & CL_QUEUE_PROFILING_ENABLE);
  if (queue && is_recorded && is_profiled && !(flags & CL_QUEUE_ON_DEVICE))
    add_queue(queue, device, is_in_order(flags));
  if (record.thread) g_hooks->end(record, caller, {});
  return queue;
}

cl_int CL_API_CALL release_queue(cl_command_queue queue) {
  const void* const caller = processor::stack_of_caller_here();
  const DeviceCall record = g_hooks->begin(g_function<&cl_icd_dispatch::clReleaseCommandQueue>, caller);
  cl_uint count = 0;
  const bool is_last =
      g_next.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, nullptr) == CL_SUCCESS &&
      count == 1;
  if (is_last) forget_queue(queue);
  if (is_last) find_unprofiled(queue, true);
  const cl_int outcome = g_next.clReleaseCommandQueue(queue);
  if (record.thread) g_hooks->end(record, caller, {});
  return outcome;
}

// Answers as the driver would have without us.
cl_int CL_API_CALL queue_info(cl_command_queue queue, cl_command_queue_info what, size_t size, void* value,
                              size_t* size_written) {
  const cl_int outcome = g_next.clGetCommandQueueInfo(queue, what, size, value, size_written);
  if (outcome != CL_SUCCESS || (what != CL_QUEUE_PROPERTIES && what != CL_QUEUE_PROPERTIES_ARRAY)) return outcome;
  const Unprofiled original = find_unprofiled(queue, false);
  if (!original.handle) return outcome;
  if (what == CL_QUEUE_PROPERTIES) {
    if (value)
      *static_cast<cl_command_queue_properties*>(value) &= ~cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE};
    return outcome;
  }
  const std::size_t wanted = original.count * sizeof(cl_queue_properties);
  if (value) std::memcpy(value, original.properties, wanted < size ? wanted : size);
  if (size_written) *size_written = wanted;
  return outcome;
}

}  // namespace

void replace_creation(cl_icd_dispatch& table) {
  const auto put = [](auto& entry, auto function, DeviceFunction& recorded, const char* name) {
    if (!entry) return;
    recorded.name = name;
    entry = function;
  };
  put(table.clCreateCommandQueue, create_queue, g_function<&cl_icd_dispatch::clCreateCommandQueue>,
      "clCreateCommandQueue");
  put(table.clCreateCommandQueueWithProperties, create_queue_with_properties,
      g_function<&cl_icd_dispatch::clCreateCommandQueueWithProperties>, "clCreateCommandQueueWithProperties");
  put(table.clReleaseCommandQueue, release_queue, g_function<&cl_icd_dispatch::clReleaseCommandQueue>,
      "clReleaseCommandQueue");
  if (table.clGetCommandQueueInfo) table.clGetCommandQueueInfo = queue_info;
}

}  // namespace tarry::measure
