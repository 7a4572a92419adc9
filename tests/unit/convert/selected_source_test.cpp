// selected_source_test.cpp -- a part of a trace is a trace: every region that is entered is left.
#include "convert/selected_source.hpp"

#include <gtest/gtest.h>

#include "tests/unit/convert/small_trace.hpp"

namespace tarry {
namespace {

// "0+main" where region main is entered at 0, "9-" where one is left at 9.
std::string events_of(Source& source, std::uint32_t location) {
  std::string text;
  const auto reader = source.open(LocationId(location));
  for (auto block = reader->next(); !block.empty(); block = reader->next())
    for (const Event& event : block) {
      text += (text.empty() ? "" : " ") + std::to_string(event.time);
      if (event.kind == EventKind::kEnter)
        text += "+" + std::string(source.definitions().region_name(record_of<record::Enter>(event).region));
      else text += "-";
    }
  return text;
}

struct Sample {
  SmallTrace whole;
  Sample() {
    whole.enter(0, 0, 0).enter(0, 10, 1).leave(0, 30).enter(0, 40, 1).enter(0, 42, 2).leave(0, 44).leave(0, 45);
    whole.leave(0, 100);
    whole.enter(1, 0, 0).leave(1, 100);
  }
  std::string select(const Selection& selection, std::uint32_t location = 0) {
    SelectedSource part(whole, selection);
    return events_of(part, location);
  }
};

TEST(SelectedSource, AllIsAll) {
  Sample sample;
  EXPECT_EQ(sample.select({}), "0+main 10+work 30- 40+work 42+MPI_Send 44- 45- 100-");
}

TEST(SelectedSource, OpenRegionsAreEnteredAndLeftAtTheEndsOfTheTime) {
  Sample sample;
  Selection selection;
  selection.begin = 20;
  selection.end = 43;
  EXPECT_EQ(sample.select(selection), "20+main 20+work 30- 40+work 42+MPI_Send 43- 43- 43-");
}

TEST(SelectedSource, VisitsOfOtherRegionsGoWithBothEnds) {
  Sample sample;
  Selection selection;
  selection.keeps_region = {false, true, false};
  EXPECT_EQ(sample.select(selection), "10+work 30- 40+work 45-");
}

TEST(SelectedSource, ShortVisitsAreLeftOut) {
  Sample sample;
  Selection selection;
  selection.min_duration = 5;
  EXPECT_EQ(sample.select(selection), "0+main 10+work 30- 40+work 45- 100-");
  selection.min_duration = 6;
  EXPECT_EQ(sample.select(selection), "0+main 10+work 30- 100-");
}

TEST(SelectedSource, OtherRanksHaveNoEvents) {
  Sample sample;
  Selection selection;
  selection.keeps_rank = {true, false};
  EXPECT_EQ(sample.select(selection, 1), "");
  EXPECT_NE(sample.select(selection, 0), "");
}

TEST(SelectedSource, ReadsWhatTheUserWrites) {
  const Definitions all = small_definitions();
  SelectionTexts texts;
  texts.ranks = "1";
  texts.regions = "w*,MPI_Send";
  texts.min_duration = "10us";
  const auto selection = read_selection(texts, all);
  ASSERT_TRUE(selection.ok());
  EXPECT_EQ(selection.value().keeps_rank, (std::vector<bool>{false, true}));
  EXPECT_EQ(selection.value().keeps_region, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(selection.value().min_duration, 10000);
}

TEST(SelectedSource, NamesWithPatternCharactersMayBeMeantAsTheyStand) {
  Definitions all = small_definitions();
  all.regions[1].name = all.strings.intern("operator[]");
  SelectionTexts texts;
  texts.regions = "operator[]";
  const auto selection = read_selection(texts, all);
  ASSERT_TRUE(selection.ok());
  EXPECT_EQ(selection.value().keeps_region, (std::vector<bool>{false, true, false}));
}

TEST(SelectedSource, RefusesWhatSelectsNothing) {
  const Definitions all = small_definitions();
  SelectionTexts ranks, regions, both;
  ranks.ranks = "7";
  regions.regions = "nosuch*";
  both.regions = "work";
  both.leaves_out_user = true;
  for (const SelectionTexts& texts : {ranks, regions, both}) EXPECT_FALSE(read_selection(texts, all).ok());
  SelectionTexts senseless;
  senseless.time = "5:2";
  EXPECT_FALSE(check_selection(senseless).ok());
  senseless.time.clear();
  senseless.min_duration = "ten";
  EXPECT_FALSE(check_selection(senseless).ok());
}

}  // namespace
}  // namespace tarry
