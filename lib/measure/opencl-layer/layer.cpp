// layer.cpp -- where OpenCL's loader asks for the layer.
#include "measure/opencl-layer/layer.hpp"

#include <cstring>

#include "measure/opencl-layer/kernel_objects.hpp"
#include "measure/opencl-layer/memory_objects.hpp"
#include "measure/opencl-layer/queue_turn.hpp"

namespace tarry::measure {

cl_icd_dispatch g_next;
const DeviceHooks* g_hooks = nullptr;

static cl_icd_dispatch g_layer;

}  // namespace tarry::measure

using namespace tarry::measure;

extern "C" __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name,
                                                                                                 size_t size,
                                                                                                 void* value,
                                                                                                 size_t* size_written) {
  constexpr cl_layer_api_version kVersion = CL_LAYER_API_VERSION_100;
  static constexpr char kName[] = "tarry";
  const void* const answer = name == CL_LAYER_API_VERSION ? static_cast<const void*>(&kVersion) : kName;
  const std::size_t answer_size = name == CL_LAYER_API_VERSION ? sizeof kVersion : sizeof kName;
  if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) || (value && size < answer_size)) return CL_INVALID_VALUE;
  if (value) std::memcpy(value, answer, answer_size);
  if (size_written) *size_written = answer_size;
  return CL_SUCCESS;
}

// A loader that knows fewer functions than we do has a smaller table.
extern "C" __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint entries, const cl_icd_dispatch* target, cl_uint* entries_written, const cl_icd_dispatch** layer) {
  constexpr cl_uint kOwn = sizeof(cl_icd_dispatch) / sizeof(void*);
  if (!target || !layer || !entries_written) return CL_INVALID_VALUE;
  const cl_uint known = entries < kOwn ? entries : kOwn;
  std::memcpy(static_cast<void*>(&g_next), target, known * sizeof(void*));
  g_layer = g_next;
  g_hooks = tarry_device_hooks ? tarry_device_hooks() : nullptr;
  if (g_hooks) {
    replace_queue_calls(g_layer);
    replace_calls(g_layer);
    replace_memory_calls(g_layer);
    replace_kernel_calls(g_layer);
    replace_order_calls(g_layer);
  }
  *entries_written = known;
  *layer = &g_layer;
  return CL_SUCCESS;
}
