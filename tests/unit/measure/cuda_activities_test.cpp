// cuda_activities_test.cpp -- buffers of records, laid out as the header of CUPTI says, become work of queues.
//
// The records are of the newest types of the header: the code that reads them knows the oldest ones only.
#include "measure/cuda-layer/activities.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "measure/cuda-layer/unified_memory.hpp"
#include "measure/devices/device_queue.hpp"
#include "tests/apps/cupti_records.h"

namespace tarry::measure {
namespace {

// A record of a kind that is not asked for, and is not known.
struct Unknown {
  CUpti_ActivityKind kind = CUPTI_ACTIVITY_KIND_MARKER;
  std::uint32_t words[5] = {};
};

struct ToldWork {
  std::string queue, device, kernel;
  DoneWork work;
};

struct OpenedQueue {
  std::string name, device;
  DeviceQueue queue = {};
};

std::vector<OpenedQueue*>& queues() {
  static auto* const all = new std::vector<OpenedQueue*>;
  return *all;
}
std::vector<ToldWork> g_told;
std::uint64_t g_lost_pieces = 0;

DeviceQueue* open_told_queue(const char* name, const char* device, Paradigm) {
  queues().push_back(new OpenedQueue{.name = name, .device = device});
  return &queues().back()->queue;
}

void tell_done(DeviceQueue* queue, const DoneWork* work) {
  for (const OpenedQueue* each : queues())
    if (&each->queue == queue) g_told.push_back({each->name, each->device, work->kernel ? work->kernel : "", *work});
}

std::size_t size_of(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(KernelRecord);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CopyRecord);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(PeerCopyRecord);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(FillRecord);
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: return sizeof(MigrationRecord);
    case CUPTI_ACTIVITY_KIND_DEVICE: return sizeof(DeviceRecord);
    default: return sizeof(Unknown);
  }
}

// As CUPTI's.
CUptiResult next_record(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record) {
  std::uint8_t* const next = *record ? reinterpret_cast<std::uint8_t*>(*record) + size_of(**record) : buffer;
  if (next >= buffer + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

class CudaActivities : public ::testing::Test {
 protected:
  void SetUp() override {
    static DeviceHooks hooks = {};
    hooks.open_queue = open_told_queue;
    hooks.work_started = [](DeviceQueue*) {};
    hooks.work_done = tell_done;
    hooks.work_lost = [](std::uint64_t count) { g_lost_pieces += count; };
    hooks.new_work = new_work_number;
    hooks.locked = [](void (*job)(void*), void* closure) { job(closure); };
    g_recorder = &hooks;
    g_cupti = {};
    g_cupti.cuptiActivityGetNextRecord = next_record;
    g_told.clear();
    g_lost_pieces = 0;
  }

  template <class Record>
  void add(const Record& record) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&record);
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof record);
  }

  template <class Record>
  static Record made(CUpti_ActivityKind kind, std::uint32_t context, std::uint32_t stream, std::uint64_t start,
                     std::uint64_t end, std::uint32_t correlation) {
    Record record;
    std::memset(&record, 0xee, sizeof record);
    record.kind = kind;
    record.start = start;
    record.end = end;
    record.deviceId = 0;
    record.contextId = context;
    record.streamId = stream;
    record.correlationId = correlation;
    return record;
  }

  static KernelRecord kernel(std::uint32_t context, std::uint32_t stream, std::uint64_t start, std::uint64_t end,
                             std::uint32_t correlation) {
    auto record = made<KernelRecord>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, context, stream, start, end, correlation);
    record.name = "_Z3addPf";
    return record;
  }

  static CopyRecord copy(std::uint8_t kind, std::uint64_t bytes, std::uint32_t context) {
    auto record = made<CopyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY, context, 7, 10, 20, 1);
    record.copyKind = kind;
    record.bytes = bytes;
    return record;
  }

  const std::vector<ToldWork>& told() {
    note_activities(buffer_.data(), buffer_.size());
    return g_told;
  }

  std::vector<std::uint8_t> buffer_;
};

TEST_F(CudaActivities, KernelsOfTwoStreams) {
  add(kernel(1, 7, 1000, 3000, 5));
  add(kernel(1, 8, 2000, 4000, 6));
  ASSERT_EQ(told().size(), 2u);
  EXPECT_EQ(g_told[0].queue, "CUDA[0:7]");
  EXPECT_EQ(g_told[1].queue, "CUDA[0:8]");
  EXPECT_EQ(g_told[0].device, "CUDA device 0");
  const DoneWork& work = g_told[0].work;
  EXPECT_EQ(work.kind, DoneWork::Kind::kKernel);
  EXPECT_EQ(g_told[0].kernel, "_Z3addPf");
  EXPECT_EQ(work.begin, 1000);
  EXPECT_EQ(work.end, 3000);
  EXPECT_EQ(work.work, work_number(5));
  EXPECT_GT(work.work, std::uint64_t{1} << 32);
}

// The device's clock is the host's: nothing is to be corrected.
TEST_F(CudaActivities, ClocksAgree) {
  add(kernel(1, 7, 1000, 3000, 5));
  ASSERT_EQ(told().size(), 1u);
  ClockOffset offset;
  EXPECT_EQ(offset.after(g_told[0].work), 0);
}

TEST_F(CudaActivities, CopiesByTheirDirection) {
  add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, 4096, 1));
  add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_ATOH, 100, 1));
  add(copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, 50, 1));
  auto peer = made<PeerCopyRecord>(CUPTI_ACTIVITY_KIND_MEMCPY2, 1, 7, 30, 40, 9);
  peer.bytes = 77;
  add(peer);
  auto fill = made<FillRecord>(CUPTI_ACTIVITY_KIND_MEMSET, 1, 7, 50, 60, 10);
  fill.bytes = 33;
  add(fill);
  ASSERT_EQ(told().size(), 5u);
  using Kind = DoneWork::Kind;
  const std::pair<Kind, std::uint64_t> expected[] = {{Kind::kCopyToDevice, 4096},
                                                     {Kind::kCopyToHost, 100},
                                                     {Kind::kCopyWithin, 50},
                                                     {Kind::kCopyWithin, 77},
                                                     {Kind::kCopyWithin, 33}};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(g_told[i].work.kind, expected[i].first) << i;
    EXPECT_EQ(g_told[i].work.bytes, expected[i].second) << i;
  }
  EXPECT_EQ(g_told[3].work.work, work_number(9));
  EXPECT_EQ(g_told[4].work.end, 60);
}

TEST_F(CudaActivities, WorkWithoutTimesIsLeftOut) {
  add(kernel(1, 7, 0, 0, 1));
  add(kernel(1, 7, 500, 0, 2));
  EXPECT_TRUE(told().empty());
}

TEST_F(CudaActivities, UnknownRecordsArePassedOver) {
  add(Unknown());
  add(kernel(1, 7, 1, 2, 3));
  add(Unknown());
  EXPECT_EQ(told().size(), 1u);
}

MigrationRecord migration(CUpti_ActivityUnifiedMemoryCounterKind kind, std::uint32_t from, std::uint32_t to,
                          std::uint64_t bytes) {
  MigrationRecord record;
  std::memset(&record, 0xee, sizeof record);
  record.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;
  record.counterKind = kind;
  record.value = bytes;
  record.start = 100;
  record.end = 200;
  record.srcId = from;
  record.dstId = to;
  return record;
}

// A queue of their own for each device. No call has their numbers.
TEST_F(CudaActivities, MigrationsOfUnifiedMemory) {
  constexpr std::uint32_t kHost = 77;
  add(migration(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, kHost, 5, 4096));
  add(migration(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH, 5, kHost, 100));
  add(migration(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD, 5, 6, 50));
  add(migration(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT, 5, 5, 3));
  add(migration(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING, 5, 5, 3));
  ASSERT_EQ(told().size(), 3u);
  EXPECT_EQ(g_told[0].queue, "CUDA[5:unified memory]");
  EXPECT_EQ(g_told[1].queue, "CUDA[5:unified memory]");
  EXPECT_EQ(g_told[2].queue, "CUDA[6:unified memory]");
  EXPECT_EQ(g_told[0].work.kind, DoneWork::Kind::kCopyToDevice);
  EXPECT_EQ(g_told[1].work.kind, DoneWork::Kind::kCopyToHost);
  EXPECT_EQ(g_told[2].work.kind, DoneWork::Kind::kCopyWithin);
  EXPECT_EQ(g_told[0].work.bytes, 4096u);
  EXPECT_EQ(g_told[0].work.begin, 100);
  EXPECT_EQ(g_told[0].work.end, 200);
  EXPECT_NE(g_told[0].work.work, g_told[1].work.work);
  EXPECT_LT(g_told[0].work.work, work_number(0));
}

TEST_F(CudaActivities, EmptyBuffer) { EXPECT_TRUE(told().empty()); }

TEST_F(CudaActivities, StreamsOfTwoContextsAreTwoQueues) {
  const std::size_t before = queues().size();
  add(kernel(21, 7, 1, 2, 3));
  add(kernel(22, 7, 3, 4, 4));
  add(kernel(21, 7, 5, 6, 5));
  EXPECT_EQ(told().size(), 3u);
  EXPECT_EQ(queues().size(), before + 2);
}

TEST_F(CudaActivities, DevicesHaveNames) {
  DeviceRecord device;
  std::memset(&device, 0, sizeof device);
  device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  device.id = 3;
  device.name = "NVIDIA Something";
  add(device);
  auto record = kernel(31, 7, 1, 2, 3);
  record.deviceId = 3;
  add(record);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_EQ(g_told[0].device, "NVIDIA Something");
  EXPECT_EQ(g_told[0].queue, "CUDA[3:7]");
}

// Without cuptiActivityRegisterTimestampCallback() CUPTI has a clock of its own.
TEST_F(CudaActivities, OtherClock) {
  g_cupti.cuptiGetTimestamp = [](std::uint64_t* time) {
    return *time = static_cast<std::uint64_t>(host_ns()) - 5'000'000'000, CUPTI_SUCCESS;
  };
  add(kernel(1, 7, 1000, 3000, 5));
  ASSERT_EQ(told().size(), 1u);
  EXPECT_NEAR(static_cast<double>(g_told[0].work.begin), 5'000'001'000., 1e7);
  EXPECT_EQ(g_told[0].work.end - g_told[0].work.begin, 2000);
}

// ---- what CUPTI is asked for

CUpti_BuffersCallbackRequestFunc g_give = nullptr;
CUpti_BuffersCallbackCompleteFunc g_take = nullptr;
std::vector<CUpti_ActivityKind> g_kinds;
std::size_t g_dropped_records = 0;

void play_cupti() {
  g_cupti.cuptiActivityRegisterCallbacks = [](auto give, auto take) {
    return g_give = give, g_take = take, CUPTI_SUCCESS;
  };
  g_cupti.cuptiActivityEnable = [](CUpti_ActivityKind kind) { return g_kinds.push_back(kind), CUPTI_SUCCESS; };
  g_cupti.cuptiActivityGetNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* dropped) {
    return *dropped = g_dropped_records, CUPTI_SUCCESS;
  };
}

TEST_F(CudaActivities, BuffersGoRound) {
  play_cupti();
  ASSERT_TRUE(watch_activities());
  EXPECT_EQ(g_kinds.size(), 5u);
  std::uint8_t* memory = nullptr;
  std::size_t bytes = 0, most = 1;
  g_give(&memory, &bytes, &most);
  ASSERT_TRUE(memory);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 8, 0u);
  EXPECT_EQ(most, 0u);
  const KernelRecord record = kernel(1, 7, 1000, 3000, 5);
  ASSERT_LE(sizeof record, bytes);
  std::memcpy(memory, &record, sizeof record);
  g_dropped_records = 4;
  g_take(nullptr, 0, memory, bytes, sizeof record);
  EXPECT_EQ(g_told.size(), 1u);
  EXPECT_EQ(g_lost_pieces, 4u);
}

TEST_F(CudaActivities, BuffersAreBounded) {
  play_cupti();
  g_dropped_records = 0;
  ASSERT_TRUE(watch_activities());
  std::vector<std::uint8_t*> given;
  std::size_t bytes = 0, most = 0;
  for (int i = 0; i < 200; ++i) {
    std::uint8_t* memory = nullptr;
    g_give(&memory, &bytes, &most);
    if (memory) given.push_back(memory);
  }
  EXPECT_LT(given.size(), 100u);
  EXPECT_EQ(bytes, 0u);
  for (std::uint8_t* memory : given) g_take(nullptr, 0, memory, 1 << 20, 0);
  std::uint8_t* memory = nullptr;
  g_give(&memory, &bytes, &most);
  ASSERT_TRUE(memory);
  g_take(nullptr, 0, memory, bytes, 0);
}

// ---- unified memory

CUptiResult g_answer = CUPTI_SUCCESS;
unsigned g_questions = 0;
std::vector<CUpti_ActivityUnifiedMemoryCounterConfig> g_counters;

class CudaUnifiedMemory : public CudaActivities {
 protected:
  void SetUp() override {
    CudaActivities::SetUp();
    play_cupti();
    g_cupti.cuptiActivityConfigureUnifiedMemoryCounter = [](auto* counters, std::uint32_t count) {
      ++g_questions;
      g_counters.assign(counters, counters + count);
      return g_answer;
    };
    g_kinds.clear();
    g_questions = 0;
  }
};

TEST_F(CudaUnifiedMemory, IsAskedForUntilCudaIsInitialised) {
  watch_unified_memory();
  EXPECT_EQ(g_questions, 0u);
  want_unified_memory();
  g_answer = CUPTI_ERROR_NOT_INITIALIZED;
  watch_unified_memory();
  watch_unified_memory();
  EXPECT_EQ(g_questions, 2u);
  EXPECT_TRUE(g_kinds.empty());
  g_answer = CUPTI_SUCCESS;
  watch_unified_memory();
  watch_unified_memory();
  EXPECT_EQ(g_questions, 3u);
  EXPECT_EQ(g_kinds, std::vector{CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER});
  ASSERT_EQ(g_counters.size(), 3u);
  for (const auto& counter : g_counters) EXPECT_EQ(counter.enable, 1u);
}

TEST_F(CudaUnifiedMemory, IsLeftOutWhereItIsNotSupported) {
  want_unified_memory();
  g_answer = CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE;
  watch_unified_memory();
  watch_unified_memory();
  EXPECT_EQ(g_questions, 1u);
  EXPECT_TRUE(g_kinds.empty());
}

TEST_F(CudaUnifiedMemory, OlderCuptiHasNone) {
  g_cupti.cuptiActivityConfigureUnifiedMemoryCounter = nullptr;
  want_unified_memory();
  watch_unified_memory();
  EXPECT_TRUE(g_kinds.empty());
}

TEST_F(CudaActivities, RecordsBeforeCuda7AreNotRead) {
  EXPECT_TRUE(has_known_records());
  g_cupti.cuptiGetVersion = [](std::uint32_t* version) { return *version = 7, CUPTI_SUCCESS; };
  EXPECT_FALSE(has_known_records());
  g_cupti.cuptiGetVersion = [](std::uint32_t* version) { return *version = 22, CUPTI_SUCCESS; };
  EXPECT_TRUE(has_known_records());
}

}  // namespace
}  // namespace tarry::measure
