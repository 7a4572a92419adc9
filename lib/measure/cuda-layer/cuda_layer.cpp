// cuda_layer.cpp -- where CUDA's driver loads the library, and where CUPTI tells of calls.
#include "measure/cuda-layer/cuda_layer.hpp"

#include <cstdio>
#include <utility>

#include "measure/cuda-layer/activities.hpp"
#include "measure/cuda-layer/cuda_functions.hpp"
#include "measure/cuda-layer/last_flush.hpp"
#include "measure/cuda-layer/streams.hpp"
#include "measure/cuda-layer/unified_memory.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

Cupti g_cupti;
const DeviceHooks* g_recorder = nullptr;

namespace {

// What the call that is recorded starts: the runtime's functions call the driver's, and work may have their number.
__thread std::uint64_t t_work = 0;

// The stream that a call waits for.
const DeviceQueue* awaited_queue(const CudaFunction& function, const CUpti_CallbackData& call) {
  if (!function.waits_for_stream || !call.functionParams || !call.context) return nullptr;
  if (!g_cupti.cuptiGetStreamIdEx || !g_cupti.cuptiGetDeviceId || !g_recorder->records_queues()) return nullptr;
  StreamId id{.context = call.contextUid};
  const CUstream stream = *static_cast<const CUstream*>(call.functionParams);
  if (g_cupti.cuptiGetStreamIdEx(call.context, stream, function.is_per_thread, &id.stream) != CUPTI_SUCCESS ||
      g_cupti.cuptiGetDeviceId(call.context, &id.device) != CUPTI_SUCCESS)
    return nullptr;
  return queue_of_stream(id);
}

// CUPTI gives its records of a context only as long as that is there.
void flush_before(const CudaFunction& function) {
  if (function.ends_contexts && g_recorder->records_queues()) g_cupti.cuptiActivityFlushAll(0);
}

// A call that is recorded leaves its place on the stack for its end. Only the outermost one is.
void begin_call_of(CudaFunction& function, const CUpti_CallbackData& call, const void* callback) {
  const void* const place = g_recorder->begin_told(function.function, callback);
  *call.correlationData = reinterpret_cast<std::uintptr_t>(place);
  if (place) t_work = 0;
  if (function.starts_work) t_work = work_number(call.correlationId);
  flush_before(function);
}

// CUPTI tells the end of the call in which it was asked to begin, too. What lies there then is nobody's.
void end_call_of(const CudaFunction& function, const CUpti_CallbackData& call) {
  const auto* const place = reinterpret_cast<const void*>(*call.correlationData);
  if (place) g_recorder->end_told(place, {awaited_queue(function, call), t_work});
  if (call.context) watch_unified_memory();
}

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId number, const void* data) {
  const void* const callback = processor::stack_of_caller_here();
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  CudaFunction* const function = find_function(domain, number);
  if (!function || !call.correlationData) return;
  if (call.callbackSite == CUPTI_API_ENTER) begin_call_of(*function, call, callback);
  else end_call_of(*function, call);
}

// Another tool of the process may use CUPTI already, which allows one.
bool subscribe(CUpti_SubscriberHandle& subscriber) {
  const CUptiResult outcome = g_cupti.cuptiSubscribe(&subscriber, on_call, nullptr);
  if (outcome == CUPTI_SUCCESS) return true;
  const char* why = nullptr;
  if (g_cupti.cuptiGetResultString) g_cupti.cuptiGetResultString(outcome, &why);
  char text[200];
  std::snprintf(text, sizeof text, "CUDA is not recorded: CUPTI refuses (%s)", why ? why : "it does not say why");
  g_recorder->say(text);
  return false;
}

void start_recording_streams() {
  if (!has_known_records())
    return g_recorder->say("CUPTI is older than that of CUDA 7: what CUDA's streams execute is not recorded");
  if (!watch_activities()) g_recorder->say("CUPTI does not tell all that CUDA's streams execute");
  want_unified_memory();
  prepare_last_flush();
}

void start_recording_cuda() {
  if (!load_cupti(g_cupti)) return g_recorder->say("CUDA is not recorded: libcupti was not found (LD_LIBRARY_PATH)");
  CUpti_SubscriberHandle subscriber = nullptr;
  if (!subscribe(subscriber)) return;
  if (g_recorder->may_record_queues()) start_recording_streams();
  watch_functions(subscriber);
}

}  // namespace
}  // namespace tarry::measure

// CUDA's driver goes on whatever it returns; 1 is success.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace tarry::measure;
  static bool is_called = false;
  g_recorder = tarry_device_hooks ? tarry_device_hooks() : nullptr;
  if (g_recorder && !std::exchange(is_called, true)) start_recording_cuda();
  return 1;
}
