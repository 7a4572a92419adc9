// event_buffer_test.cpp -- events through blocks, flushes and full memory, and out of the spool of a killed process.
#include "measure/core/event_buffer.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "defs/definition_codec.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/local_definitions.hpp"

namespace tarry::measure {
namespace {

record::MpiSend message(Bytes bytes) { return {.receiver = CommRank(1), .comm = CommId(0), .tag = 7, .bytes = bytes}; }

class EventBufferTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("event_buffer." + std::to_string(::getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  BlockPool::Config config(std::uint64_t memory, bool in_memory = false) const {
    return {container(), spool(), memory, 1, in_memory, WhenFull::kFlush};
  }
  std::string container() const { return folder_ / "n.tev"; }
  std::string spool() const { return folder_ / "n.1.spool"; }

  // All events of a file, chunk after chunk.
  static std::vector<Event> read(const std::string& path) {
    std::vector<Event> events;
    const auto file = Container::open(path);
    EXPECT_TRUE(file.ok());
    if (!file.ok()) return events;
    EXPECT_TRUE(file.value().damage().empty());
    std::uint32_t sequence = 0;
    for (const ChunkRef& chunk : file.value().chunks()) {
      if (chunk.header.kind != ChunkKind::kEvents) continue;
      EXPECT_EQ(chunk.header.sequence, sequence++);
      std::vector<std::uint8_t> bytes;
      EXPECT_TRUE(file.value().load(chunk, kDecodePadding, bytes).ok());
      RecordDecoder decoder(bytes.data(), bytes.data() + bytes.size() - kDecodePadding, chunk.header.first_time);
      std::vector<Event> some(kBlockBytes);
      some.resize(decoder.decode(some.data(), some.size()));
      if (!(chunk.header.flags & kOpenChunk)) {
        EXPECT_EQ(some.size(), chunk.header.event_count);
        EXPECT_EQ(some.back().time, chunk.header.last_time);
      }
      EXPECT_GE(some.front().time, chunk.header.first_time);
      events.insert(events.end(), some.begin(), some.end());
    }
    return events;
  }

  static std::size_t count(const std::vector<Event>& events, EventKind kind) {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [=](const Event& e) { return e.kind == kind; }));
  }

  static void record_messages(EventBuffer& buffer, int first, int calls) {
    for (int i = first; i < first + calls; ++i) {
      buffer.enter(1000 + 100 * i, RegionId(5));
      buffer.put(1000 + 100 * i, message(static_cast<Bytes>(i)));
      buffer.leave(1050 + 100 * i);
    }
  }

  std::filesystem::path folder_;
};

TEST_F(EventBufferTest, EverythingComesBackInOrder) {
  BlockPool pool;
  pool.open(config(64 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(3), 0, 500));
  buffer.enter(500, RegionId(0));
  record_messages(buffer, 0, 100'000);
  buffer.close(20'000'000);
  ASSERT_TRUE(pool.flush_at_end());
  pool.remove_spool();
  EXPECT_FALSE(std::filesystem::exists(spool()));
  const std::vector<Event> events = read(container());
  ASSERT_EQ(events.size(), 300'002u);
  for (std::size_t i = 0; i < 100'000; ++i) {
    ASSERT_EQ(events[1 + 3 * i].kind, EventKind::kEnter);
    ASSERT_EQ(events[2 + 3 * i].kind, EventKind::kMpiSend);
    ASSERT_EQ(events[2 + 3 * i].time, static_cast<Ticks>(1000 + 100 * i));
    ASSERT_EQ(record_of<record::MpiSend>(events[2 + 3 * i]).bytes, i);
    ASSERT_EQ(events[3 + 3 * i].kind, EventKind::kLeave);
  }
  EXPECT_EQ(events.back().time, 20'000'000);
}

// What came between a record and its withdrawal moves up; a record whose block is gone stays.
TEST_F(EventBufferTest, RecordsAreTakenBack) {
  BlockPool pool;
  pool.open(config(64 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, 1));
  buffer.enter(10, RegionId(5));
  const auto latest = buffer.put_tentatively(10, message(1u << 30));
  EXPECT_TRUE(buffer.take_back(latest));
  buffer.leave(20);
  buffer.enter(30, RegionId(5));
  const auto earlier = buffer.put_tentatively(30, record::MpiCollectiveBegin{});
  record_messages(buffer, 0, 2);
  EXPECT_TRUE(buffer.take_back(earlier));
  buffer.leave(2000);
  const auto first_of_its_time = buffer.put_tentatively(2500, record::MpiCollectiveBegin{});
  EXPECT_FALSE(buffer.take_back(first_of_its_time));
  EXPECT_FALSE(buffer.take_back({}));
  buffer.enter(3000, RegionId(5));
  const auto gone = buffer.put_tentatively(3000, record::MpiCollectiveBegin{});
  record_messages(buffer, 20, 100'000);
  EXPECT_FALSE(buffer.take_back(gone));
  buffer.leave(20'000'000);
  buffer.close(20'000'000);
  ASSERT_TRUE(pool.flush_at_end());
  pool.remove_spool();
  const std::vector<Event> events = read(container());
  ASSERT_EQ(events.size(), 2u + 2 + 6 + 1 + 3 + 300'000);
  const Ticks times[] = {10, 20, 30, 1000, 1000, 1050, 1100, 1100, 1150, 2000, 2500, 3000, 3000};
  for (std::size_t i = 0; i < std::size(times); ++i) EXPECT_EQ(events[i].time, times[i]) << i;
  EXPECT_EQ(count(events, EventKind::kMpiSend), 100'002u);
  EXPECT_EQ(count(events, EventKind::kMpiCollectiveBegin), 2u);
}

// Calls on a file that are like each other.
class Calls {
 public:
  explicit Calls(EventBuffer& buffer) : buffer_(buffer) {}

  // False if there is no room at once.
  bool begin(Ticks time) {
    if (!buffer_.may_repeat()) {
      const auto head = EventBuffer::head_of({.region = 7, .handle = 2, .mode = 1});
      if (!buffer_.put_pattern(head, 4096, 100) || !buffer_.may_repeat()) return false;
      ++patterns;
    }
    begun_ = time;
    buffer_.begin_repeat(time);
    return true;
  }
  // False if something else was recorded since.
  bool end(Ticks time) {
    if (!buffer_.can_end_repeat()) return false;
    buffer_.end_repeat(time, static_cast<std::uint64_t>(time - begun_), buffer_.begun_repeat());
    return true;
  }
  int patterns = 0;

 private:
  EventBuffer& buffer_;
  Ticks begun_ = 0;
};

// Each block has its own pattern, and counts the events of the calls.
TEST_F(EventBufferTest, CallsOnAFileAreEventsInEachBlock) {
  BlockPool pool;
  pool.open(config(64 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, 0));
  Calls calls(buffer);
  constexpr int kCalls = 200'000;
  Ticks time = 0;
  for (int i = 0; i < kCalls; ++i, time += 20) {
    if (!calls.begin(time)) {
      buffer.enter(time, RegionId(3));
      buffer.leave(time);
      ASSERT_TRUE(calls.begin(time));
    }
    ASSERT_TRUE(calls.end(time + 5));
  }
  EXPECT_EQ(buffer.depth(), 0u);
  buffer.close(time);
  ASSERT_TRUE(pool.flush_at_end());
  EXPECT_GT(calls.patterns, 3);
  const std::vector<Event> events = read(container());
  EXPECT_EQ(count(events, EventKind::kIoOperationBegin), std::size_t{kCalls});
  EXPECT_EQ(count(events, EventKind::kIoOperationComplete), std::size_t{kCalls});
  EXPECT_EQ(events.size(), 4u * kCalls + 2u * static_cast<unsigned>(calls.patterns - 1));
}

TEST_F(EventBufferTest, ACallInWhichSomethingElseIsRecordedStaysBegun) {
  BlockPool pool;
  pool.open(config(64 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, 0));
  Calls calls(buffer);
  ASSERT_TRUE(calls.begin(10));
  ASSERT_TRUE(calls.begin(11));
  EXPECT_TRUE(calls.end(12));
  EXPECT_FALSE(calls.end(13));
  ASSERT_TRUE(calls.begin(14));
  record_messages(buffer, 0, 1);
  EXPECT_FALSE(calls.end(2000));
  buffer.forget_pattern();
  EXPECT_FALSE(buffer.may_repeat());
  buffer.close(2000);
  ASSERT_TRUE(pool.flush_at_end());
  const std::vector<Event> events = read(container());
  EXPECT_EQ(count(events, EventKind::kIoOperationBegin), 3u);
  EXPECT_EQ(count(events, EventKind::kIoOperationComplete), 1u);
  EXPECT_EQ(count(events, EventKind::kEnter), count(events, EventKind::kLeave));
}

// A step that is abandoned between its two stores has made the record whole, but not moved on.
TEST_F(EventBufferTest, AnAbandonedEndOfACallIsUndone) {
  BlockPool pool;
  pool.open(config(64 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, 0));
  Calls calls(buffer);
  ASSERT_TRUE(calls.begin(10));
  ASSERT_TRUE(calls.end(12));
  ASSERT_TRUE(calls.begin(20));
  auto* const record = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(buffer.position())) - kBegunCallBytes;
  store_le(record, whole_call(load_le<std::uint64_t>(record), 5));
  buffer.repair();
  EXPECT_EQ(buffer.depth(), 1u);
  EXPECT_EQ(buffer.last_time(), 20);
  buffer.leave(30);
  buffer.close(30);
  ASSERT_TRUE(pool.flush_at_end());
  const std::vector<Event> events = read(container());
  ASSERT_EQ(events.size(), 4u + 3u);
  EXPECT_EQ(events[5].kind, EventKind::kIoOperationBegin);
  EXPECT_EQ(events[6].kind, EventKind::kLeave);
  EXPECT_EQ(events[6].time, 30);
}

// The longest head there is has room; the pattern comes back as it was put.
TEST_F(EventBufferTest, PatternsOfLargeNumbers) {
  BlockPool pool;
  pool.open(config(64 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, 0));
  const std::uint64_t most = 0xffffffff;
  ASSERT_TRUE(buffer.put_pattern(
      EventBuffer::head_of({.region = most, .handle = most - 1, .mode = 1, .matching = most * 4 + 3}), kNoField,
      1ull << 62));
  buffer.begin_repeat(0);
  buffer.end_repeat(65'535, 65'535, buffer.begun_repeat());
  EXPECT_EQ(EventBuffer::head_of({.region = ~0ull, .handle = ~0ull, .matching = ~0ull}).size, 0u);
  buffer.close(65'535);
  ASSERT_TRUE(pool.flush_at_end());
  const std::vector<Event> events = read(container());
  ASSERT_EQ(events.size(), 4u);
  const auto begin = record_of<record::IoOperationBegin>(events[1]);
  const auto end = record_of<record::IoOperationComplete>(events[2]);
  EXPECT_EQ(record_of<record::Enter>(events[0]).region, RegionId(most));
  EXPECT_EQ(begin.handle, IoHandleId(most - 1));
  EXPECT_EQ(begin.bytes, kNoField);
  EXPECT_EQ(end.bytes, 1ull << 62);
  EXPECT_EQ(end.matching, most * 4 + 3);
  EXPECT_EQ(events[3].time, 65'535);
}

TEST_F(EventBufferTest, FullMemoryIsWrittenOutAndSaysSo) {
  for (const bool in_memory : {false, true}) {
    std::filesystem::remove(container());
    BlockPool pool;
    pool.open(config(1 << 20, in_memory));
    EventBuffer buffer;
    const Ticks start = now();
    ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, start));
    for (int i = 0; i < 600'000; ++i) {
      buffer.enter(now(), RegionId(5));
      buffer.leave(now());
    }
    buffer.close(now());
    ASSERT_TRUE(pool.flush_at_end());
    pool.remove_spool();
    const std::vector<Event> events = read(container());
    EXPECT_EQ(count(events, EventKind::kEnter), 600'000u);
    EXPECT_EQ(count(events, EventKind::kLeave), 600'000u);
    EXPECT_GT(count(events, EventKind::kBufferFlush), 0u);
    EXPECT_TRUE(
        std::is_sorted(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.time < b.time; }));
    EXPECT_EQ(buffer.lost(), 0u);
  }
}

// What was blocked behind an event is looked for behind the flush: the summary would count the flush twice.
TEST_F(EventBufferTest, AFlushIsKnownBeforeItsRecord) {
  BlockPool pool;
  pool.open(config(1 << 20));
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, now()));
  int records = 0;
  for (; records < 1'000'000 && buffer.last_known_time() == buffer.last_time(); ++records)
    records % 2 == 0 ? buffer.enter(now(), RegionId(5)) : buffer.leave(now());
  ASSERT_LT(records, 1'000'000);
  const Ticks end_of_flush = buffer.last_known_time();
  EXPECT_GT(end_of_flush, buffer.last_time());
  EXPECT_LE(end_of_flush, now());
  buffer.enter(now(), RegionId(5));
  EXPECT_EQ(buffer.last_known_time(), buffer.last_time());
  EXPECT_GE(buffer.last_time(), end_of_flush);
  buffer.close(now());
  ASSERT_TRUE(pool.flush_at_end());
  pool.remove_spool();
}

TEST_F(EventBufferTest, WhatCannotBeWrittenIsCountedAndRegionsAreClosed) {
  BlockPool::Config nowhere = config(1 << 20, true);
  nowhere.container = folder_ / "missing" / "n.tev";
  BlockPool pool;
  pool.open(nowhere);
  EventBuffer buffer;
  ASSERT_TRUE(buffer.open(pool, WorldRank(0), 0, 0));
  buffer.enter(0, RegionId(0));
  record_messages(buffer, 0, 200'000);
  buffer.close(1'000'000'000);
  EXPECT_GT(buffer.lost(), 0u);
  EXPECT_FALSE(pool.flush_at_end());
  std::filesystem::create_directory(folder_ / "missing");
  ASSERT_TRUE(pool.flush_at_end());
  const std::vector<Event> events = read(nowhere.container);
  EXPECT_EQ(count(events, EventKind::kEnter), count(events, EventKind::kLeave));
  ASSERT_EQ(count(events, EventKind::kLost), 1u);
  const auto lost =
      std::find_if(events.begin(), events.end(), [](const Event& e) { return e.kind == EventKind::kLost; });
  EXPECT_EQ(record_of<record::Lost>(*lost).count, buffer.lost());
  EXPECT_EQ(static_cast<std::size_t>(lost - events.begin()) + buffer.lost(), 600'001u);
}

TEST_F(EventBufferTest, AKilledProcessLosesNothing) {
  const pid_t child = ::fork();
  if (child == 0) {
    BlockPool pool;
    pool.open(config(64 << 20));
    LocalDefinitions definitions;
    definitions.open(pool, WorldRank(4));
    definitions.add_region("f", "a.c", 3, Paradigm::kUser, RegionRole::kFunction);
    EventBuffer buffer;
    buffer.open(pool, WorldRank(4), 0, 0);
    record_messages(buffer, 0, 50'000);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::vector<Event> events = read(spool());
  ASSERT_EQ(events.size(), 150'000u);
  EXPECT_EQ(events.back().time, 1050 + 100 * 49'999);
  const auto file = Container::open(spool());
  const ChunkRef& chunk = file.value().chunks()[0];
  ASSERT_EQ(chunk.header.kind, ChunkKind::kDefinitions);
  Definitions definitions;
  ASSERT_TRUE(decode_definitions(file.value().stored(chunk), definitions).ok());
  ASSERT_EQ(definitions.regions.size(), 1u);
  EXPECT_EQ(definitions.text(definitions.regions[0].name), "f");
}

}  // namespace
}  // namespace tarry::measure
