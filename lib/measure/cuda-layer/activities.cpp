// activities.cpp -- CUPTI's records of kernels, copies and fills.
//
// Each version of CUPTI adds fields to its records, and a type for them: CUpti_ActivityKernel4 to 10 so far. They come
// behind those that were there. So the oldest type of each kind reads the records of all versions, that of the headers
// and that which is loaded. Before CUDA 7 they had others (tests/unit/measure/cuda_layouts_test.cpp).
#include "measure/cuda-layer/activities.hpp"

#include <sys/mman.h>

#include "measure/cuda-layer/streams.hpp"
#include "measure/cuda-layer/unified_memory.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr int kMostBuffers = 64;            // beyond, CUPTI leaves out records and counts them
constexpr std::uint32_t kFirstVersion = 8;  // that of CUDA 7

std::atomic<int> g_buffers = 0;
bool g_has_host_times = false;  // times of records are of CLOCK_MONOTONIC

std::uint64_t CUPTIAPI tell_time() { return static_cast<std::uint64_t>(host_ns()); }

// By how much the host's clock is ahead of that of the records.
std::int64_t clock_difference() {
  std::uint64_t time = 0;
  if (g_has_host_times || !g_cupti.cuptiGetTimestamp || g_cupti.cuptiGetTimestamp(&time) != CUPTI_SUCCESS) return 0;
  return host_ns() - static_cast<std::int64_t>(time);
}

// A kernel that was still running, or of which no time could be taken, has none. Times are of the host's clock, so that
// the work seems to be queued when it begins.
template <class Record>
void note_times(const StreamId& stream, const Record& record, DoneWork work, std::int64_t ahead) {
  if (record.start == 0 || record.end < record.start) return;
  DeviceQueue* const queue = queue_of_stream(stream);
  if (!queue) return;
  work.begin = static_cast<std::int64_t>(record.start) + ahead;
  work.end = static_cast<std::int64_t>(record.end) + ahead;
  work.queued = work.called = work.returned = work.begin;
  g_recorder->work_started(queue);
  g_recorder->work_done(queue, &work);
}

template <class Record>
void note_work(const Record& record, DoneWork work, std::int64_t ahead) {
  work.work = work_number(record.correlationId);
  note_times({record.deviceId, record.contextId, record.streamId}, record, work, ahead);
}

void note_migration(const CUpti_ActivityUnifiedMemoryCounter2& record, std::int64_t ahead) {
  if (const std::optional<Migration> migration = migration_of(record))
    note_times(migration->queue, record, migration->work, ahead);
}

DoneWork::Kind kind_of_copy(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return DoneWork::Kind::kCopyToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return DoneWork::Kind::kCopyToHost;
    default: return DoneWork::Kind::kCopyWithin;
  }
}

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return reinterpret_cast<const Record&>(record);
}

void note_activity(const CUpti_Activity& record, std::int64_t ahead) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = as<CUpti_ActivityKernel4>(record);
      return note_work(kernel, {.kind = DoneWork::Kind::kKernel, .kernel = kernel.name}, ahead);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = as<CUpti_ActivityMemcpy>(record);
      return note_work(copy, {.kind = kind_of_copy(copy.copyKind), .bytes = copy.bytes}, ahead);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = as<CUpti_ActivityMemcpyPtoP>(record);
      return note_work(copy, {.kind = DoneWork::Kind::kCopyWithin, .bytes = copy.bytes}, ahead);
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = as<CUpti_ActivityMemset>(record);
      return note_work(fill, {.kind = DoneWork::Kind::kCopyWithin, .bytes = fill.bytes}, ahead);
    }
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      return note_migration(as<CUpti_ActivityUnifiedMemoryCounter2>(record), ahead);
    case CUPTI_ACTIVITY_KIND_DEVICE: {
      const auto& device = as<CUpti_ActivityDevice2>(record);
      return note_device_name(device.id, device.name);
    }
    default: return;
  }
}

// ---- buffers

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  g_buffer_steps.fetch_add(1);
  *buffer = nullptr;
  *bytes = *most_records = 0;
  if (g_buffers.fetch_add(1) < kMostBuffers) {
    void* const memory = ::mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) *buffer = static_cast<std::uint8_t*>(memory);
  }
  if (*buffer) *bytes = kBufferBytes;
  else g_buffers.fetch_sub(1);
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                          std::size_t bytes) {
  std::size_t dropped = 0;
  if (buffer) {
    note_activities(buffer, bytes);
    ::munmap(buffer, kBufferBytes);
    g_buffers.fetch_sub(1);
  }
  if (g_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0)
    g_recorder->work_lost(dropped);
  g_buffer_steps.fetch_add(1);
}

}  // namespace

std::atomic<std::uint64_t> g_buffer_steps = 0;

bool has_known_records() {
  std::uint32_t version = 0;
  return !g_cupti.cuptiGetVersion || g_cupti.cuptiGetVersion(&version) != CUPTI_SUCCESS || version >= kFirstVersion;
}

void note_activities(std::uint8_t* buffer, std::size_t bytes) {
  const std::int64_t ahead = clock_difference();
  CUpti_Activity* record = nullptr;
  while (g_cupti.cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) note_activity(*record, ahead);
}

// The clock has to be known before any kind is recorded. Names of devices may be absent.
bool watch_activities() {
  g_has_host_times = g_cupti.cuptiActivityRegisterTimestampCallback &&
                     g_cupti.cuptiActivityRegisterTimestampCallback(tell_time) == CUPTI_SUCCESS;
  if (g_cupti.cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS) return false;
  g_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DEVICE);
  bool is_watched = true;
  for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET})
    is_watched &= g_cupti.cuptiActivityEnable(kind) == CUPTI_SUCCESS;
  return is_watched;
}

}  // namespace tarry::measure
