// dropped_events_test.cpp -- what replaces events that gave way to later ones.
#include "measure/core/dropped_events.hpp"

#include <gtest/gtest.h>

#include "trace/event_codec.hpp"

namespace tarry::measure {
namespace {

ChunkHeader header_of(std::uint32_t thread, std::uint32_t sequence, std::uint32_t events) {
  ChunkHeader header;
  header.thread = thread;
  header.sequence = sequence;
  header.event_count = events;
  header.first_time = header.last_time = 1000 * sequence;
  return header;
}

// A block that enters the regions given; 0 means a leave.
std::vector<std::uint8_t> block_of(const std::vector<std::uint32_t>& steps) {
  std::vector<std::uint8_t> bytes(steps.size() * 16 + kDecodePadding);
  std::uint8_t* at = bytes.data();
  for (const std::uint32_t step : steps) at = step ? encode_enter(at, 1, step) : encode_leave(at, 1);
  bytes.resize(static_cast<std::size_t>(at - bytes.data()) + kDecodePadding);
  return bytes;
}

void drop(DroppedEvents& dropped, const ChunkHeader& header, const std::vector<std::uint32_t>& steps) {
  const auto bytes = block_of(steps);
  dropped.add(header, std::span(bytes).first(bytes.size() - kDecodePadding));
}

RegionId entered_in(const Event& event) { return record_of<record::Enter>(event).region; }

TEST(DroppedEvents, NothingDroppedNothingToSay) {
  DroppedEvents dropped;
  ChunkHeader header;
  std::vector<std::uint8_t> records;
  EXPECT_FALSE(dropped.take(header_of(0, 3, 1), header, records));
  EXPECT_EQ(dropped.number(header_of(0, 3, 1)), 3u);
}

TEST(DroppedEvents, OpenRegionsAndCountComeFirst) {
  DroppedEvents dropped;
  drop(dropped, header_of(0, 0, 4), {1, 2, 3, 0});
  drop(dropped, header_of(0, 1, 3), {4, 0, 5});
  drop(dropped, header_of(1, 0, 2), {9, 0});
  EXPECT_EQ(dropped.count(), 9u);
  ChunkHeader header;
  std::vector<std::uint8_t> records;
  ASSERT_TRUE(dropped.take(header_of(0, 2, 7), header, records));
  EXPECT_EQ(header.sequence, 0u);
  EXPECT_EQ(header.event_count, 4u);
  EXPECT_EQ(header.last_time, 2000);
  EXPECT_EQ(dropped.number(header_of(0, 2, 7)), 1u);
  EXPECT_EQ(dropped.number(header_of(1, 1, 7)), 1u);
  EXPECT_EQ(dropped.number(header_of(2, 5, 7)), 5u);
  const std::size_t size = records.size();
  records.resize(size + kDecodePadding);
  Event events[8];
  RecordDecoder decoder(records.data(), records.data() + size, header.first_time);
  ASSERT_EQ(decoder.decode(events, 8), 4u);
  EXPECT_EQ(entered_in(events[0]), RegionId(1));
  EXPECT_EQ(entered_in(events[1]), RegionId(2));
  EXPECT_EQ(entered_in(events[2]), RegionId(5));
  EXPECT_EQ(events[3].kind, EventKind::kLost);
  EXPECT_EQ(record_of<record::Lost>(events[3]).count, 7u);
  EXPECT_FALSE(dropped.take(header_of(0, 2, 7), header, records));
}

// Nobody wants what comes before time 4: the records enter 1, enter 2, leave, enter 3, leave, one tick each.
TEST(DroppedEvents, ABlockIsCutWhereWantedEventsBegin) {
  DroppedEvents dropped;
  ChunkHeader header = header_of(0, 0, 5);
  const auto bytes = block_of({1, 2, 0, 3, 0});
  std::vector<std::uint8_t> rest;
  dropped.add_before(4, header, std::span(bytes).first(bytes.size() - kDecodePadding), rest);
  EXPECT_EQ(dropped.count(), 0u);
  EXPECT_EQ(header.event_count, 2u);
  EXPECT_EQ(header.first_time, 4);
  EXPECT_EQ(header.last_time, 5);
  ChunkHeader front;
  std::vector<std::uint8_t> records;
  ASSERT_TRUE(dropped.take(header, front, records));
  EXPECT_EQ(front.event_count, 1u);
  EXPECT_EQ(front.first_time, 4);
  EXPECT_EQ(dropped.number(header), 1u);
  const std::size_t size = rest.size();
  rest.resize(size + kDecodePadding);
  Event events[4];
  RecordDecoder decoder(rest.data(), rest.data() + size, header.first_time);
  ASSERT_EQ(decoder.decode(events, 4), 2u);
  EXPECT_EQ(events[0].time, 4);
  EXPECT_EQ(entered_in(events[0]), RegionId(3));
  EXPECT_EQ(events[1].kind, EventKind::kLeave);
  EXPECT_EQ(events[1].time, 5);
}

// A short record of a call stands for four, of which the last two are wanted.
TEST(DroppedEvents, ACallOnAFileIsCutInItsMiddle) {
  std::uint8_t block[2 * kMaxRecordBytes + kDecodePadding] = {};
  std::uint8_t* at = encode_pattern(block, {.region = 7, .handle = 2, .mode = 1, .matching = 9, .moved = 100});
  for (const std::uint64_t delta : {1, 2}) {
    encode_begun_call(at, delta);
    store_le(at, whole_call(load_le<std::uint64_t>(at), 10));
    at += kWholeCallBytes;
  }
  DroppedEvents dropped;
  ChunkHeader header = header_of(0, 0, 8);
  std::vector<std::uint8_t> rest;
  dropped.add_before(5, header, {block, at}, rest);
  EXPECT_EQ(header.event_count, 6u);
  EXPECT_EQ(header.first_time, 11);
  EXPECT_EQ(header.last_time, 23);
  ChunkHeader front;
  std::vector<std::uint8_t> records;
  ASSERT_TRUE(dropped.take(header, front, records));
  EXPECT_EQ(front.event_count, 1u);
  const std::size_t size = rest.size();
  rest.resize(size + kDecodePadding);
  Event events[8];
  RecordDecoder decoder(rest.data(), rest.data() + size, header.first_time);
  ASSERT_EQ(decoder.decode(events, 8), 6u);
  EXPECT_EQ(events[0].kind, EventKind::kIoOperationComplete);
  EXPECT_EQ(record_of<record::IoOperationComplete>(events[0]).bytes, 100u);
  EXPECT_EQ(events[2].time, 13);
  EXPECT_EQ(events[5].time, 23);
}

}  // namespace
}  // namespace tarry::measure
