// adapters.cpp -- all parts of the recorder that are told of its steps, and what they keep with each thread.
#include "measure/callpath/call_path_adapter.hpp"
#include "measure/callpath/coalesced_calls.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/compiler/throttle.hpp"
#include "measure/core/adapter.hpp"
#include "measure/devices/device_queue.hpp"
#include "measure/io/latest_transfer.hpp"
#include "measure/metrics/counter_set.hpp"
#include "measure/metrics/heap_paths.hpp"
#include "measure/openmp/omp_thread.hpp"
#include "measure/openmp/target_callbacks.hpp"
#include "measure/sampling/sampler.hpp"
#include "measure/threads/wanted_calls.hpp"
#include "measure/user/record_selection.hpp"
#include "measure/user/scorep_regions.hpp"
#include "measure/user/user_metrics.hpp"

namespace tarry::measure {
namespace {

// The order counts: the selection is known before early functions are told; samples come when all else is there.
constinit const Adapter* const kAdapters[] = {
    &kCallPathAdapter, &kCounterAdapter, &kUserMetricAdapter, &kOmpAdapter,    &kUserAdapter,   &kCompilerAdapter,
    &kFileAdapter,     &kDeviceAdapter,  &kSampleAdapter,     &kScorepAdapter, &kThreadAdapter, &kThrottleAdapter,
};

static_assert(are_apart({kCallPath.place(), kCoalesced.place(), kSampler.place(), kFileCaller.place(),
                         kLatestTransfer.place(), kThreadTeams.place(), kOpenTarget.place(), kHeapPaths.place(),
                         kThrottledCalls.place()}));

}  // namespace

std::span<const Adapter* const> adapters() { return kAdapters; }

}  // namespace tarry::measure
