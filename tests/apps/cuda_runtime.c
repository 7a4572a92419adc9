/* cuda_runtime.c -- plays CUDA on a machine without a device: libcudart.so.13, and with -DCUPTI libcupti.so.13.

   The device is a clock: a kernel takes as many microseconds as its block has threads in x. A copy takes a nanosecond
   for each byte. Streams execute their work in order, and calls wait for it as CUDA's do.

   The first call loads the library of CUDA_INJECTION64_PATH, as CUDA's driver does. That is told of calls, and of what
   was executed, as NVIDIA documents CUPTI. Calls of the runtime make calls of the driver. These have numbers of their
   own, which the work has as well. With CUPTI_IS_TAKEN in the environment another tool uses CUPTI already.

   A stream that captures makes a graph of kernels, which one call launches. Memory that is managed moves into the device
   when the next kernel begins, and back when that has ended, by a nanosecond for each byte. With
   CUPTI_HAS_NO_UNIFIED_MEMORY in the environment CUPTI does not tell that. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cupti_records.h"

typedef union {
  CUpti_Activity any;
  KernelRecord kernel;
  CopyRecord copy;
  FillRecord fill;
  MigrationRecord migration;
} Record;

struct CUstream_st {
  uint32_t id;
  uint64_t busy_until; /* nanoseconds of CLOCK_MONOTONIC */
  struct CUgraph_st* captures;
};

struct CUgraph_st {
  unsigned count;
  struct {
    const char* name;
    uint64_t duration;
  } kernels[8];
};

enum { RECORDS = 1 << 16, ENOUGH = 1000, CALLBACKS = 1024, CONTEXT = 1 };

typedef struct {
  CUpti_CallbackFunc on_call;
  void* user_data;
  char is_watched[CUPTI_CB_DOMAIN_SIZE][CALLBACKS];
  char is_recorded[CUPTI_ACTIVITY_KIND_COUNT];
  CUpti_BuffersCallbackRequestFunc give;
  CUpti_BuffersCallbackCompleteFunc take;
  CUpti_TimestampCallbackFunc time;
  char is_initialised; /* CUDA */
} Tool;

/* What both libraries share lies in that of the runtime. */
Tool* fake_cuda_tool(void);
void fake_cuda_deliver(int is_forced);
uint64_t fake_cuda_now(void);

#ifdef CUPTI

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* user_data) {
  Tool* tool = fake_cuda_tool();
  if (tool->on_call || getenv("CUPTI_IS_TAKEN")) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  tool->on_call = callback;
  tool->user_data = user_data;
  *subscriber = (CUpti_SubscriberHandle)tool;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  (void)result;
  *text = "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
  (void)subscriber;
  fake_cuda_tool()->is_watched[domain][id] = (char)enable;
  return CUPTI_SUCCESS;
}

static const struct {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  const char* name;
} kNames[] = {
#define RUNTIME(function) {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_##function, #function},
#define DRIVER(function) {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##function, #function},
    RUNTIME(cudaMalloc_v3020) RUNTIME(cudaStreamCreate_v3020) RUNTIME(cudaLaunchKernel_v7000)
    RUNTIME(cudaGraphLaunch_v10000) RUNTIME(cudaMallocManaged_v6000) RUNTIME(cudaMemcpy_v3020) RUNTIME(cudaMemcpyAsync_v3020) RUNTIME(cudaMemsetAsync_v3020)
    RUNTIME(cudaDeviceReset_v3020) RUNTIME(cudaStreamSynchronize_v3020) RUNTIME(cudaDeviceSynchronize_v3020) RUNTIME(cudaGetDevice_v3020)
    DRIVER(cuGraphLaunch) DRIVER(cuLaunchKernel) DRIVER(cuMemcpyHtoD_v2) DRIVER(cuMemcpyDtoH_v2) DRIVER(cuMemsetD8Async)};

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i)
    if (kNames[i].domain == domain && kNames[i].id == id) return *name = kNames[i].name, CUPTI_SUCCESS;
  return CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  fake_cuda_tool()->is_recorded[kind] = 1;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetVersion(uint32_t* version) {
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityConfigureUnifiedMemoryCounter(CUpti_ActivityUnifiedMemoryCounterConfig* counters,
                                                       uint32_t count) {
  (void)counters, (void)count;
  if (!fake_cuda_tool()->is_initialised) return CUPTI_ERROR_NOT_INITIALIZED;
  return getenv("CUPTI_HAS_NO_UNIFIED_MEMORY") ? CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc give,
                                           CUpti_BuffersCallbackCompleteFunc take) {
  fake_cuda_tool()->give = give;
  fake_cuda_tool()->take = take;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc time) {
  fake_cuda_tool()->time = time;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t* dropped) {
  (void)context, (void)stream;
  *dropped = 0;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t bytes, CUpti_Activity** record) {
  uint8_t* next = *record ? (uint8_t*)*record + sizeof(Record) : buffer;
  if (next + sizeof(Record) > buffer + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity*)next;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  fake_cuda_deliver(flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t is_per_thread, uint32_t* id) {
  (void)context, (void)is_per_thread;
  *id = stream ? stream->id : 7;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t* device) {
  (void)context;
  *device = 0;
  return CUPTI_SUCCESS;
}

#else

static Tool tool;
static Record records[RECORDS];
static unsigned record_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held in calls, and while records are delivered */
static struct CUstream_st null_stream = {7, 0, NULL}, streams[16];
static unsigned stream_count;
static size_t managed_bytes; /* on the host */
static atomic_uint correlations;

Tool* fake_cuda_tool(void) { return &tool; }

uint64_t fake_cuda_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void wait_until(uint64_t end) {
  while (fake_cuda_now() < end) {}
}

/* ---- what the tool is told */

static int is_running(const Record* record) {
  return record->any.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kernel.end > fake_cuda_now();
}

/* Of kernels that still run, no end is known. They come along only where that is forced. */
void fake_cuda_deliver(int is_forced) {
  pthread_mutex_lock(&lock);
  unsigned done = 0;
  while (tool.give && done < record_count && (is_forced || !is_running(&records[done]))) {
    uint8_t* buffer = NULL;
    size_t size = 0, most = 0, used = 0;
    tool.give(&buffer, &size, &most);
    if (!buffer) break;
    for (; done < record_count && used + sizeof(Record) <= size; ++done, used += sizeof(Record)) {
      Record* record = (Record*)(buffer + used);
      if (!is_forced && is_running(&records[done])) break;
      *record = records[done];
      if (is_running(record)) record->kernel.end = 0;
    }
    tool.take(NULL, 0, buffer, size, used);
  }
  record_count -= done;
  memmove(records, records + done, record_count * sizeof *records);
  pthread_mutex_unlock(&lock);
}

static void load_tool(void) {
  static int is_done;
  const char* path = getenv("CUDA_INJECTION64_PATH");
  if (is_done++ || !path) return;
  void* library = dlopen(path, RTLD_NOW);
  int (*initialize)(void) = library ? (int (*)(void))dlsym(library, "InitializeInjection") : NULL;
  if (initialize) initialize();
}

typedef struct {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  uint64_t data;
  CUpti_CallbackData told;
} Call;

/* The tool's function returns before the call does its work. The call's own frame goes on to change. */
__attribute__((noinline)) static void tell(Call* call, CUpti_ApiCallbackSite site) {
  call->told.callbackSite = site;
  call->told.correlationData = &call->data;
  if (tool.on_call && tool.is_watched[call->domain][call->id])
    tool.on_call(tool.user_data, call->domain, call->id, &call->told);
}

static Call begin(CUpti_CallbackDomain domain, CUpti_CallbackId id, const char* name, const void* parameters) {
  static int context;
  Call call = {.domain = domain,
               .id = id,
               .data = ~(uint64_t)0 >> 16,
               .told = {.functionName = name,
                        .functionParams = parameters,
                        .context = (CUcontext)&context,
                        .contextUid = CONTEXT,
                        .correlationId = atomic_fetch_add(&correlations, 1) + 1}};
  tell(&call, CUPTI_API_ENTER);
  load_tool(); /* which is told the end of this call */
  tool.is_initialised = 1;
  return call;
}

#define RUNTIME(function, parameters) \
  begin(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_##function, #function, parameters)
#define DRIVER(function) begin(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##function, #function, NULL)

static cudaError_t end(Call* call) {
  tell(call, CUPTI_API_EXIT);
  return cudaSuccess;
}

/* ---- what the device executes */

static struct CUstream_st* real(cudaStream_t stream) { return stream ? stream : &null_stream; }

static Record* next_record(CUpti_ActivityKind kind) {
  if (!tool.is_recorded[kind] || record_count == RECORDS) return NULL;
  Record* record = &records[record_count++];
  memset(record, 0, sizeof *record);
  return record;
}

#define FILL(record, of_kind)                       \
  (record)->kind = of_kind;                         \
  (record)->start = begin;                          \
  (record)->end = begin + duration;                 \
  (record)->contextId = CONTEXT;                    \
  (record)->streamId = stream->id;                  \
  (record)->correlationId = call->told.correlationId

static uint64_t execute(struct CUstream_st* stream, uint64_t duration) {
  const uint64_t now = tool.time ? tool.time() : fake_cuda_now();
  const uint64_t begin = now > stream->busy_until ? now : stream->busy_until;
  stream->busy_until = begin + duration;
  return begin;
}

static void migrate(CUpti_ActivityUnifiedMemoryCounterKind kind, uint64_t begin) {
  Record* record = next_record(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  if (!record) return;
  record->migration.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;
  record->migration.counterKind = kind;
  record->migration.value = managed_bytes;
  record->migration.start = begin;
  record->migration.end = begin + managed_bytes;
}

static void run_kernel(const Call* call, struct CUstream_st* stream, uint64_t duration, const char* name) {
  pthread_mutex_lock(&lock);
  const uint64_t begin = execute(stream, duration);
  Record* record = next_record(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (record) {
    FILL(&record->kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    record->kernel.name = name;
  }
  if (managed_bytes > 0) {
    migrate(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, begin);
    migrate(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH, begin + duration);
    managed_bytes = 0;
  }
  pthread_mutex_unlock(&lock);
}

static void run_copy(const Call* call, struct CUstream_st* stream, uint64_t bytes, enum cudaMemcpyKind kind) {
  pthread_mutex_lock(&lock);
  const uint64_t duration = bytes, begin = execute(stream, duration);
  Record* record = next_record(CUPTI_ACTIVITY_KIND_MEMCPY);
  if (record) {
    FILL(&record->copy, CUPTI_ACTIVITY_KIND_MEMCPY);
    record->copy.bytes = bytes;
    record->copy.copyKind = kind == cudaMemcpyHostToDevice   ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD
                            : kind == cudaMemcpyDeviceToHost ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOH
                                                             : CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
  }
  pthread_mutex_unlock(&lock);
}

static void run_fill(const Call* call, struct CUstream_st* stream, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  const uint64_t duration = bytes, begin = execute(stream, duration);
  Record* record = next_record(CUPTI_ACTIVITY_KIND_MEMSET);
  if (record) {
    FILL(&record->fill, CUPTI_ACTIVITY_KIND_MEMSET);
    record->fill.bytes = bytes;
  }
  pthread_mutex_unlock(&lock);
}

/* ---- the runtime */

cudaError_t cudaGetDevice(int* device) {
  Call call = RUNTIME(cudaGetDevice_v3020, NULL);
  *device = 0;
  return end(&call);
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  Call call = RUNTIME(cudaMalloc_v3020, NULL);
  *memory = malloc(bytes);
  return end(&call);
}

cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned flags) {
  (void)flags;
  Call call = RUNTIME(cudaMallocManaged_v6000, NULL);
  *memory = malloc(bytes);
  managed_bytes = bytes;
  return end(&call);
}

/* Forgets what it knows of the work. */
cudaError_t cudaDeviceReset(void) {
  Call call = RUNTIME(cudaDeviceReset_v3020, NULL);
  record_count = 0;
  return end(&call);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  Call call = RUNTIME(cudaStreamCreate_v3020, NULL);
  streams[stream_count].id = 13 + stream_count;
  *stream = &streams[stream_count++];
  return end(&call);
}

/* The name of a kernel is its first argument. A kernel without threads never ends, and holds the lock for ever. */
cudaError_t cudaLaunchKernel(const void* name, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  (void)grid, (void)arguments, (void)shared;
  struct CUgraph_st* const graph = real(stream)->captures;
  if (graph) {
    graph->kernels[graph->count].name = name;
    graph->kernels[graph->count++].duration = (uint64_t)block.x * 1000;
    return cudaSuccess;
  }
  Call call = RUNTIME(cudaLaunchKernel_v7000, NULL);
  Call inner = DRIVER(cuLaunchKernel);
  run_kernel(&inner, real(stream), (uint64_t)block.x * 1000, name);
  if (block.x == 0) {
    pthread_mutex_lock(&lock);
    for (;;) {}
  }
  end(&inner);
  const cudaError_t outcome = end(&call);
  if (record_count >= ENOUGH) fake_cuda_deliver(0);
  return outcome;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  (void)mode;
  stream->captures = calloc(1, sizeof *stream->captures);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = stream->captures;
  stream->captures = NULL;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  (void)flags;
  *executable = (cudaGraphExec_t)graph;
  return cudaSuccess;
}

/* Its kernels have the number of the one call. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const struct CUgraph_st* const graph = (const struct CUgraph_st*)executable;
  Call call = RUNTIME(cudaGraphLaunch_v10000, NULL);
  Call inner = DRIVER(cuGraphLaunch);
  for (unsigned i = 0; i < graph->count; ++i)
    run_kernel(&inner, real(stream), graph->kernels[i].duration, graph->kernels[i].name);
  end(&inner);
  return end(&call);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  (void)to, (void)from;
  Call call = RUNTIME(cudaMemcpy_v3020, NULL);
  Call inner = kind == cudaMemcpyHostToDevice ? DRIVER(cuMemcpyHtoD_v2) : DRIVER(cuMemcpyDtoH_v2);
  run_copy(&inner, &null_stream, bytes, kind);
  wait_until(null_stream.busy_until);
  end(&inner);
  return end(&call);
}

/* This one makes no call of the driver. */
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)to, (void)from;
  Call call = RUNTIME(cudaMemcpyAsync_v3020, NULL);
  run_copy(&call, real(stream), bytes, kind);
  return end(&call);
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  (void)memory, (void)value;
  Call call = RUNTIME(cudaMemsetAsync_v3020, NULL);
  Call inner = DRIVER(cuMemsetD8Async);
  run_fill(&inner, real(stream), bytes);
  end(&inner);
  return end(&call);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Call call = RUNTIME(cudaStreamSynchronize_v3020, &stream);
  wait_until(real(stream)->busy_until);
  return end(&call);
}

cudaError_t cudaDeviceSynchronize(void) {
  Call call = RUNTIME(cudaDeviceSynchronize_v3020, NULL);
  wait_until(null_stream.busy_until);
  for (unsigned i = 0; i < stream_count; ++i) wait_until(streams[i].busy_until);
  return end(&call);
}

#endif
