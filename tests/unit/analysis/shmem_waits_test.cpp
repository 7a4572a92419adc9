// shmem_waits_test.cpp -- waits of OpenSHMEM: for values that others write, for locks, and in collectives.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr WindowId kMemory{0};
constexpr CommRank kAll{0xffffffffu};

// Calls of one process on the memory of all. Where no place is given, the trace does not tell it.
class ShmemStream {
 public:
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  ShmemStream(SyntheticTrace& trace, std::uint32_t rank) : stream_(trace.on(rank)) {
    if (trace.definitions().windows.empty()) trace.edit_definitions().windows.push_back({StringId(0), CommId(0)});
  }

  ShmemStream& put(Ticks first, Ticks last, std::uint64_t target, std::uint64_t place = kNowhere, Bytes bytes = 8) {
    stream_.enter(first, "shmem_long_put");
    at(first, place);
    stream_.add(first, record::RmaPut{.window = kMemory, .remote = CommRank(target), .bytes = bytes, .matching = 1});
    stream_.leave(last);
    return *this;
  }
  ShmemStream& wait(Ticks first, Ticks last, std::uint64_t place = kNowhere,
                    const char* call = "shmem_long_wait_until") {
    stream_.enter(first, call);
    at(last, place);
    stream_.add(last, record::RmaWaitChange{.window = kMemory}).leave(last);
    return *this;
  }
  ShmemStream& set_lock(Ticks first, Ticks last, std::uint64_t lock) {
    const record::RmaRequestLock request{.window = kMemory, .remote = kAll, .lock = lock, .lock_type = 0};
    const record::RmaAcquireLock acquired{.window = kMemory, .remote = kAll, .lock = lock, .lock_type = 0};
    stream_.enter(first, "shmem_set_lock").add(first, request).add(last, acquired).leave(last);
    return *this;
  }
  ShmemStream& clear_lock(Ticks first, Ticks last, std::uint64_t lock) {
    const record::RmaReleaseLock release{.window = kMemory, .remote = kAll, .lock = lock};
    stream_.enter(first, "shmem_clear_lock").add(first, release).leave(last);
    return *this;
  }
  ShmemStream& collective(Ticks first, Ticks last, const char* call, CollectiveOp operation, CommRank root = {}) {
    const record::RmaCollectiveEnd end{
        .operation = operation, .sync_level = 1, .window = kMemory, .root = root, .sent = 8, .received = 8};
    stream_.enter(first, call).add(first, record::RmaCollectiveBegin{}).add(last, end).leave(last);
    return *this;
  }
  ShmemStream& quiet(Ticks first, Ticks last, bool has_operations) {
    stream_.enter(first, "shmem_quiet");
    if (has_operations) stream_.add(last, record::RmaOpCompleteRemote{.window = kMemory, .matching = 1});
    stream_.leave(last);
    return *this;
  }

 private:
  void at(Ticks time, std::uint64_t place) {
    if (place != kNowhere) stream_.add(time, record::Attribute{.attribute = kPlaceAttribute, .value = place});
  }

  SyntheticStream& stream_;
};

TEST(ShmemLateNotifier, WaitsUntilTheValueIsWritten) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0).wait(10, 52, 64);
  ShmemStream(trace, 1).put(50, 51, 0, 64);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kShmemLateNotifier, "shmem_long_wait_until", 0), 40);
  EXPECT_EQ(found.total(kShmemLateNotifier), 40);
}

TEST(ShmemLateNotifier, WhatIsThereIsNotWaitedFor) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0).wait(10, 12, 64);
  ShmemStream(trace, 1).put(5, 6, 0, 64).put(50, 51, 0, 64);
  EXPECT_EQ(AnalysisOf(trace).total(kShmemLateNotifier), 0);
}

TEST(ShmemLateNotifier, WritesToOtherPlacesAndProcessesDoNotCount) {
  SyntheticTrace trace(3);
  ShmemStream(trace, 0).wait(10, 52, 64);
  ShmemStream(trace, 1).put(20, 21, 0, 64).put(30, 31, 0, 72);
  ShmemStream(trace, 2).put(40, 41, 1, 64);
  EXPECT_EQ(AnalysisOf(trace).total(kShmemLateNotifier), 10);
}

TEST(ShmemLateNotifier, ABlockCoversThePlacesInIt) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0).wait(10, 30, 64).wait(40, 60, 80);
  ShmemStream(trace, 1).put(20, 21, 0, 56, 16).put(50, 51, 0, 64, 16);
  EXPECT_EQ(AnalysisOf(trace).total(kShmemLateNotifier), 10);
}

TEST(ShmemLateNotifier, WithoutPlacesTheLastWriteCounts) {
  SyntheticTrace trace(3);
  ShmemStream(trace, 0).wait(10, 52);
  ShmemStream(trace, 1).put(20, 21, 0);
  ShmemStream(trace, 2).put(50, 51, 0).put(53, 54, 0);
  EXPECT_EQ(AnalysisOf(trace).total(kShmemLateNotifier), 40);
}

TEST(ShmemLateNotifier, TestsDoNotWait) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0).wait(10, 52, 64, "shmem_int_test").wait(53, 62, 64, "shmem_int_test_some_vector");
  ShmemStream(trace, 1).put(50, 51, 0, 64).put(60, 61, 0, 64);
  EXPECT_EQ(AnalysisOf(trace).total(kShmemLateNotifier), 0);
}

TEST(ShmemLateNotifier, TheWriterPaysForIt) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0).collective(0, 10, "shmem_barrier_all", CollectiveOp::kBarrier).wait(10, 52, 64);
  ShmemStream(trace, 1).collective(0, 10, "shmem_barrier_all", CollectiveOp::kBarrier);
  trace.on(1).visit(10, 50, "late");
  ShmemStream(trace, 1).put(50, 51, 0, 64);
  EXPECT_EQ(AnalysisOf(trace).value(kDelayOneSided, "late", 1), 40);
}

TEST(ShmemLockContention, EachLockIsOne) {
  SyntheticTrace trace(3);
  ShmemStream(trace, 0).set_lock(0, 1, 7).clear_lock(30, 33, 7);
  ShmemStream(trace, 1).set_lock(10, 32, 7).clear_lock(40, 41, 7);
  ShmemStream(trace, 2).set_lock(10, 32, 8).clear_lock(50, 51, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kShmemLockContention, "shmem_set_lock", 1), 20);
  EXPECT_EQ(found.total(kShmemLockContention), 20);
  EXPECT_EQ(found.total(kRmaSyncLockContention) + found.total(kRmaSyncProgress), 0);
}

TEST(ShmemCollectives, WaitsAreApartFromThoseOfMpi) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0)
      .collective(0, 21, "shmem_barrier_all", CollectiveOp::kBarrier)
      .collective(30, 51, "shmem_long_sum_to_all", CollectiveOp::kAllreduce)
      .collective(60, 81, "shmem_broadcast64", CollectiveOp::kBcast, CommRank(1))
      .collective(90, 111, "shmem_malloc", CollectiveOp::kAllocate);
  ShmemStream(trace, 1)
      .collective(20, 21, "shmem_barrier_all", CollectiveOp::kBarrier)
      .collective(50, 51, "shmem_long_sum_to_all", CollectiveOp::kAllreduce)
      .collective(80, 81, "shmem_broadcast64", CollectiveOp::kBcast, CommRank(1))
      .collective(110, 111, "shmem_malloc", CollectiveOp::kAllocate);
  AnalysisOf found(trace);
  for (const Metric metric : {kShmemBarrierWait, kShmemNxnWait, kShmemLateBroadcast, kShmemMemoryWait})
    EXPECT_EQ(found.total(metric), 20) << info_of(metric).unique_name;
  for (const Metric metric : {kBarrierWait, kNxnWait, kLateBroadcast, kMpi})
    EXPECT_EQ(found.total(metric), 0) << info_of(metric).unique_name;
}

TEST(ShmemQuiet, CountsWhereThereIsSomethingToComplete) {
  SyntheticTrace trace(2);
  ShmemStream(trace, 0).quiet(0, 5, false).put(10, 11, 1, 64).quiet(20, 27, true);
  ShmemStream(trace, 1).quiet(0, 5, false);
  EXPECT_EQ(AnalysisOf(trace).total(kShmemQuietCompletion), 7);
}

}  // namespace
}  // namespace tarry
