// record_test.cpp -- records of every kind survive the way to an event and back, also where a field is absent or wrong.
#include "trace/record.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "any_record.hpp"
#include "trace/event_codec.hpp"

namespace tarry {
namespace {

/// Every kind of event, with a value of its own in each field.
std::vector<Event> one_of_each_kind() {
  std::vector<Event> events;
  std::uint64_t value = 0;
  for (int code = 1; code < kEventKindCount; ++code)
    events.push_back(any_event(code, static_cast<EventKind>(code),
                               [&](auto& field, auto, std::string_view) { set_field(field, ++value); }));
  return events;
}

TEST(Record, OfEveryKindSurvivesTheWayToAnEventAndBack) {
  int kinds = 0;
  std::uint64_t value = 0;
  for (const Event& event : one_of_each_kind())
    visit_record(event, [&]<class Record>(const Record& record) {
      EXPECT_EQ(Record::kKind, event.kind);
      for_each_field(record, [&](auto field, auto is_optional, std::string_view name) {
        EXPECT_EQ(bits_of_field(field, is_optional), ++value) << info_of(event.kind).name << " " << name;
      });
      const Event copy = event_of(event.time, record);
      EXPECT_EQ(copy.time, event.time);
      EXPECT_EQ(copy.kind, event.kind);
      EXPECT_EQ(record_of<Record>(copy), record);
      ++kinds;
    });
  EXPECT_EQ(kinds, kEventKindCount - 1);
}

TEST(Record, HasItsFieldsInTheOrderOfTheFile) {
  std::string text;
  const auto spell = [&](auto, bool is_optional, std::string_view name) {
    text.append(name).append(is_optional ? "? " : " ");
  };
  const record::MpiSend send;
  const record::MpiCollectiveBegin begin;
  const record::MpiCollectiveEnd end;
  for_each_field(send, spell);
  for_each_field(begin, spell);
  for_each_field(end, spell);
  EXPECT_EQ(text, "receiver comm tag bytes operation comm root? sent received ");
}

TEST(Record, ReplacesTheOneOfAnEventButNotItsTime) {
  Event event = event_of(7, record::MpiSend{.receiver = CommRank(1), .comm = CommId(2), .tag = 3, .bytes = 4});
  set_record(event, record::Metric{.metric = CounterId(5), .value = 6});
  EXPECT_EQ(event.time, 7);
  EXPECT_EQ(event.kind, EventKind::kMetric);
  EXPECT_EQ(record_of<record::Metric>(event), (record::Metric{.metric = CounterId(5), .value = 6}));
}

TEST(Record, DiffersFromAnotherInOneField) {
  const record::MpiRecv receive{.sender = CommRank(1), .comm = CommId(2), .tag = 3, .bytes = 4};
  record::MpiRecv other = receive;
  EXPECT_EQ(receive, other);
  other.tag = 9;
  EXPECT_NE(receive, other);
}

TEST(Record, NothingIsVisitedOfAnEventWithoutAKind) {
  visit_record(Event{}, [](const auto&) { FAIL(); });
}

TEST(Record, AbsentFieldsStayAbsent) {
  for (int code = 1; code < kEventKindCount; ++code) {
    const Event event = any_event(0, static_cast<EventKind>(code), [](auto& field, bool is_optional, std::string_view) {
      set_field(field, is_optional ? kNoField : 5);
    });
    visit_record(event, [&](const auto& record) {
      for_each_field(record, [&](auto field, bool is_optional, std::string_view name) {
        EXPECT_EQ(bits_of_field(field, is_optional), is_optional ? kNoField : 5)
            << info_of(event.kind).name << " " << name;
      });
    });
  }
  EXPECT_FALSE(record::Leave{}.region.is_valid());
  EXPECT_EQ(record::ProgramEnd{}.status, kNoField);
}

// A file has a zero for an absent field, so no other value of the event can have become it.
TEST(Record, AbsentFieldsAreNoFieldInAnEvent) {
  for (const Event& event : {event_of(0, record::Leave{}), event_of(0, record::ProgramEnd{})}) {
    std::uint8_t bytes[kMaxRecordBytes];
    ASSERT_EQ(encode_fields(bytes, event) - bytes, 1);
    EXPECT_EQ(bytes[0], 0);
  }
}

TEST(Record, AnIdThatNamesNothingIsANumberWhereOneMustBe) {
  EXPECT_EQ(bits_of_field(CommRank(), true), kNoField);
  EXPECT_EQ(bits_of_field(CommRank(), false), 0xffffffffu);
  EXPECT_EQ(bits_of_field(CommRank(3), true), 3u);
}

TEST(Record, NumbersTooLargeForAnIdNameNothing) {
  EXPECT_EQ(field_of<RegionId>(0xfffffffe), RegionId(0xfffffffe));
  for (const std::uint64_t bits : {std::uint64_t{0xffffffff}, std::uint64_t{1} << 32, std::uint64_t{1} << 40, kNoField})
    EXPECT_FALSE(field_of<RegionId>(bits).is_valid()) << bits;
  EXPECT_EQ(field_of<TeamId>(std::uint64_t{1} << 40), TeamId(std::uint64_t{1} << 40));
  EXPECT_FALSE(field_of<TeamId>(kNoField).is_valid());
}

TEST(Record, NumbersTooLargeForAnEnumAreItsLargest) {
  EXPECT_EQ(field_of<CollectiveOp>(14), CollectiveOp::kScan);
  for (const std::uint64_t bits : {std::uint64_t{255}, std::uint64_t{256}, std::uint64_t{256 + 14}, kNoField})
    EXPECT_EQ(static_cast<int>(field_of<CollectiveOp>(bits)), 255) << bits;
  EXPECT_EQ(field_of<record::Number>(kNoField), kNoField);
}

}  // namespace
}  // namespace tarry
