// unified_memory.cpp -- copies that CUDA's driver makes by itself, of memory that host and devices share.
//
// No call starts them: a kernel or the host uses memory that is elsewhere. Page faults are not asked for. NVIDIA's own
// tools warn of what that costs a program. The copies that faults cause tell the most of it.
#include "measure/cuda-layer/unified_memory.hpp"

#include <atomic>
#include <iterator>

namespace tarry::measure {
namespace {

std::atomic<bool> g_is_to_ask = false;

CUptiResult ask_for_migrations() {
  if (!g_cupti.cuptiActivityConfigureUnifiedMemoryCounter) return CUPTI_ERROR_NOT_SUPPORTED;
  const auto counter = [](CUpti_ActivityUnifiedMemoryCounterKind kind) {
    return CUpti_ActivityUnifiedMemoryCounterConfig{CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES,
                                                    kind, 0, 1};
  };
  CUpti_ActivityUnifiedMemoryCounterConfig counters[] = {
      counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD),
      counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH),
      counter(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD)};
  const CUptiResult outcome = g_cupti.cuptiActivityConfigureUnifiedMemoryCounter(counters, std::size(counters));
  return outcome == CUPTI_SUCCESS ? g_cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) : outcome;
}

}  // namespace

void want_unified_memory() { g_is_to_ask.store(true); }

void watch_unified_memory() {
  if (!g_is_to_ask.load(std::memory_order_relaxed) || !g_is_to_ask.exchange(false)) return;
  if (ask_for_migrations() == CUPTI_ERROR_NOT_INITIALIZED) g_is_to_ask.store(true);
}

std::optional<Migration> migration_of(const CUpti_ActivityUnifiedMemoryCounter2& record) {
  const auto migration = [&record](DoneWork::Kind kind, std::uint32_t device) {
    return Migration{{.device = device, .stream = kUnifiedMemory},
                     {.kind = kind, .bytes = record.value, .work = g_recorder->new_work()}};
  };
  switch (record.counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
      return migration(DoneWork::Kind::kCopyToDevice, record.dstId);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
      return migration(DoneWork::Kind::kCopyToHost, record.srcId);
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD:
      return migration(DoneWork::Kind::kCopyWithin, record.dstId);
    default: return std::nullopt;
  }
}

}  // namespace tarry::measure
