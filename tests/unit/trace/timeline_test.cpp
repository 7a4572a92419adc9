// timeline_test.cpp -- all locations in one order, whatever the number of streams that may be open at a time.
#include "trace/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "any_record.hpp"
#include "base/files/external_sorter.hpp"

namespace tarry {
namespace {

/// Events in memory; blocks of a few.
class MemorySource final : public Source {
 public:
  explicit MemorySource(std::size_t locations) : events_(locations) {
    for (std::size_t i = 0; i < locations; ++i) {
      all_.processes.push_back({StringId(0), static_cast<std::uint32_t>(i), {}});
      all_.locations.push_back({StringId(0), ProcessId(i), 0, 0});
    }
    std::mt19937 random(7);
    for (auto& location : events_) {
      Ticks time = -20;
      for (std::size_t i = random() % 40; i > 0; --i) {
        time += static_cast<Ticks>(random() % 4);
        const auto kind = static_cast<EventKind>(1 + random() % (kEventKindCount - 1));
        const Event event = any_event(time, kind, [&](auto& field, bool is_optional, std::string_view) {
          set_field(field, is_optional && random() % 2 ? kNoField : random());
        });
        if (!info_of(kind).name.empty()) location.push_back(event);
      }
    }
  }

  const Definitions& definitions() const override { return all_; }
  const std::string& path() const override { return path_; }
  FaultLog& faults() override { return faults_; }
  std::unique_ptr<EventReader> open(LocationId location) override {
    ++open_count_;
    return std::make_unique<Reader>(*this, events_[location.value]);
  }
  std::size_t most_open() const { return most_open_; }

  std::vector<std::pair<Event, std::uint32_t>> in_order() const {
    std::vector<std::pair<Event, std::uint32_t>> sorted;
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (const Event& event : events_[i]) sorted.emplace_back(event, static_cast<std::uint32_t>(i));
    std::stable_sort(sorted.begin(), sorted.end(), [](auto& left, auto& right) {
      return std::tuple(left.first.time, left.second) < std::tuple(right.first.time, right.second);
    });
    return sorted;
  }

 private:
  class Reader final : public EventReader {
   public:
    Reader(MemorySource& source, const std::vector<Event>& events) : source_(source), left_(events) {
      source_.most_open_ = std::max(source_.most_open_, source_.open_count_);
    }
    ~Reader() override { --source_.open_count_; }
    std::span<const Event> next() override {
      const auto block = left_.first(std::min<std::size_t>(left_.size(), 3));
      left_ = left_.subspan(block.size());
      return block;
    }

   private:
    MemorySource& source_;
    std::span<const Event> left_;
  };

  Definitions all_;
  std::string path_ = "memory";
  FaultLog faults_;
  std::vector<std::vector<Event>> events_;
  std::size_t open_count_ = 0, most_open_ = 0;
};

class TimelineOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TimelineOf, IsInOrderInAnyNumberOfPasses) {
  MemorySource source(60);
  std::uint64_t read = 0;
  auto timeline = Timeline::open(source, {.open_streams = GetParam()}, [&](std::uint64_t events) { read += events; });
  ASSERT_TRUE(timeline.ok());
  const auto expected = source.in_order();
  std::size_t at = 0;
  TimelineBlock block;
  while ((*timeline)->next(block).ok() && !block.empty())
    for (std::size_t i = 0; i < block.events.size(); ++i, ++at) {
      ASSERT_LT(at, expected.size());
      const auto& [event, location] = expected[at];
      ASSERT_EQ(block.events[i].time, event.time);
      ASSERT_EQ(block.locations[i], location);
      ASSERT_EQ(block.events[i].kind, event.kind);
      const bool gets_its_region =
          event.kind == EventKind::kLeave && !record_of<record::Leave>(event).region.is_valid();
      if (!gets_its_region) {
        ASSERT_EQ(spell(block.events[i]), spell(event));
      }
    }
  EXPECT_EQ(at, expected.size());
  EXPECT_EQ(read, expected.size());
  EXPECT_LE(source.most_open(), std::max<std::size_t>(GetParam(), 2));
}

INSTANTIATE_TEST_SUITE_P(Streams, TimelineOf, ::testing::Values(2, 3, 7, 59, 60, 256));

TEST(ExternalSorter, SortsWithAndWithoutFiles) {
  std::mt19937 random(3);
  std::vector<std::uint64_t> numbers(5000);
  for (auto& number : numbers) number = random() % 1000;
  for (const std::size_t memory : {std::size_t{1} << 20, std::size_t{4000}}) {
    ExternalSorter<std::uint64_t> sorter(memory);
    for (const std::uint64_t number : numbers) ASSERT_TRUE(sorter.add(number).ok());
    ASSERT_TRUE(sorter.finish().ok());
    auto expected = numbers;
    std::sort(expected.begin(), expected.end());
    for (const std::uint64_t number : expected) {
      const auto next = sorter.next();
      ASSERT_TRUE(next.ok() && next.value());
      ASSERT_EQ(*next.value(), number);
    }
    const auto next = sorter.next();
    ASSERT_TRUE(next.ok() && !next.value());
  }
}

}  // namespace
}  // namespace tarry
