// pattern_events_test.cpp -- waits, delays and the critical path as events: what is linked, what adds up, what nests.
#include "analysis/patterns/pattern_events.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "analysis_of.hpp"
#include "golden_traces.hpp"

namespace tarry {
namespace {

constexpr std::size_t kAllOfThem = std::numeric_limits<std::size_t>::max();

bool keep_all(const PatternEvent&) { return true; }

std::vector<const PatternEvent*> events_of(const PatternEvents& patterns, Metric metric) {
  std::vector<const PatternEvent*> found;
  for (const PatternEvent& event : patterns.all)
    if (event.metric == metric) found.push_back(&event);
  return found;
}

// Begins and ends of each track are in order, and what is left last was entered last.
void expect_nested(const PatternEvents& patterns) {
  std::size_t count = 0;
  for (const PatternTrack& track : patterns.tracks) {
    std::vector<const PatternEvent*> open;
    Ticks before = std::numeric_limits<Ticks>::min();
    for_each_end(
        patterns, track,
        [&](const PatternEvent& event) {
          EXPECT_GE(event.begin, before);
          before = event.begin;
          EXPECT_TRUE(open.empty() || event.end <= open.back()->end);
          EXPECT_EQ(event.location, track.location);
          EXPECT_EQ(event.layer, track.layer);
          open.push_back(&event);
          ++count;
        },
        [&](const PatternEvent& event, const PatternEvent* around) {
          EXPECT_GE(event.end, before);
          before = event.end;
          ASSERT_EQ(open.back(), &event);
          open.pop_back();
          EXPECT_EQ(around, open.empty() ? nullptr : open.back());
        });
    EXPECT_TRUE(open.empty());
  }
  EXPECT_EQ(count, patterns.all.size());
}

void expect_sums(const PatternEvents& patterns, const AnalysisOf& found) {
  std::map<Metric, double> sums;
  for (const PatternEvent& event : patterns.all) sums[event.metric] += event.severity;
  for (const auto& [metric, sum] : sums)
    EXPECT_NEAR(sum, found.total(metric), 1e-9 * sum) << info_of(metric).unique_name;
  for (const CostInfo& cost : wait_costs())
    for (const Metric metric : {cost.short_term, cost.long_term}) {
      const double wanted = metric == Metric::kDelayIdleThreads ? 0 : found.total(metric);
      EXPECT_NEAR(sums[metric], wanted, 1e-9) << info_of(metric).unique_name;
    }
  for (const WaitInfo& wait : wait_states()) {
    const double wanted = wait.role == WaitRole::kCompletion ? 0 : found.total(wait.metric);
    EXPECT_NEAR(sums[wait.metric], wanted, 1e-9) << info_of(wait.metric).unique_name;
  }
}

TEST(PatternEvents, AChainOfWaitsIsLinkedToItsDelay) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf found(trace, options_for_patterns(kAllOfThem));
  const PatternEvents patterns = list_patterns(found.trace(), found.result(), keep_all);
  const auto late = events_of(patterns, Metric::kLateSender);
  const auto delays = events_of(patterns, Metric::kDelayLateSender);
  const auto later = events_of(patterns, Metric::kDelayLateSenderLongTerm);
  ASSERT_EQ(late.size(), 2u);
  ASSERT_EQ(delays.size(), 2u);
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(late[0]->begin, 200);
  EXPECT_EQ(late[0]->end, 500);
  EXPECT_EQ(late[0]->delay, patterns.number_of(*delays[0]));
  EXPECT_FALSE(late[0]->through.is_valid());
  EXPECT_EQ(late[1]->delay, patterns.number_of(*delays[1]));
  EXPECT_EQ(late[1]->through, patterns.number_of(*late[0]));
  EXPECT_EQ(delays[0]->location, LocationId(0));
  EXPECT_EQ(delays[0]->begin, 100);
  EXPECT_EQ(delays[0]->end, 500);
  EXPECT_EQ(delays[0]->severity, 300);
  EXPECT_EQ(delays[0]->waits, 1u);
  EXPECT_EQ(found.path_name(delays[0]->path), "main/c");
  EXPECT_EQ(delays[1]->location, LocationId(1));
  EXPECT_EQ(delays[1]->severity, 20);  // from the send until rank 1 is out of its receive
  EXPECT_EQ(found.path_name(delays[1]->path), "main/MPI_Recv");
  EXPECT_NEAR(later[0]->severity, 300, 1e-9);
  EXPECT_EQ(later[0]->waits, 0u);
}

TEST(PatternEvents, AddUpToTheReportAndNest) {
  const auto check = [](SyntheticTrace& trace) {
    AnalysisOf found(trace, options_for_patterns(kAllOfThem));
    const PatternEvents patterns = list_patterns(found.trace(), found.result(), keep_all);
    EXPECT_FALSE(patterns.all.empty());
    expect_nested(patterns);
    expect_sums(patterns, found);
  };
  SyntheticTrace chain(3), team(1, 3), hybrid(2, 2);
  add_chain(chain);
  add_team_of_three(team);
  add_hybrid(hybrid);
  for (SyntheticTrace* trace : {&chain, &team, &hybrid}) check(*trace);
}

TEST(PatternEvents, PartsLieInsideWaits) {
  SyntheticTrace trace(3);
  add_messages_in_wrong_order(trace);
  AnalysisOf found(trace, options_for_patterns(kAllOfThem));
  const PatternEvents patterns = list_patterns(found.trace(), found.result(), keep_all);
  expect_nested(patterns);
  expect_sums(patterns, found);
  const auto whole = events_of(patterns, Metric::kLateSender),
             part = events_of(patterns, Metric::kLateSenderWrongOrder),
             kind = events_of(patterns, Metric::kWrongOrderDifferent);
  ASSERT_EQ(whole.size(), 1u);
  ASSERT_EQ(part.size(), 1u);
  ASSERT_EQ(kind.size(), 1u);
  EXPECT_EQ(part[0]->track, whole[0]->track);
  EXPECT_GT(patterns.number_of(*part[0]), patterns.number_of(*whole[0]));
  EXPECT_GT(patterns.number_of(*kind[0]), patterns.number_of(*part[0]));
}

TEST(PatternEvents, WhatOverlapsHasTracksOfItsOwn) {
  SyntheticTrace trace(1);
  trace.on(0).visit(0, 100, "main");
  AnalysisOf found(trace, options_for_patterns(kAllOfThem));
  AnalysisResult made;
  const auto add = [&](Ticks begin, Ticks end) {
    made.delays.push_back({.metric = Metric::kDelayLateSender,
                           .rank = RankIndex(0),
                           .thread = kMaster,
                           .begin = begin,
                           .end = end,
                           .cost = 1});
  };
  for (const auto& [begin, end] : {std::pair(0, 50), {10, 20}, {20, 50}, {30, 60}, {50, 50}, {60, 70}, {0, 10}})
    add(begin, end);
  const PatternEvents patterns = list_patterns(found.trace(), made, keep_all);
  expect_nested(patterns);
  ASSERT_EQ(patterns.tracks.size(), 2u);
  EXPECT_EQ(patterns.tracks[1].number, 1u);
  ASSERT_EQ(patterns.tracks[1].events.size(), 1u);
  EXPECT_EQ(patterns.all[patterns.tracks[1].events[0]].begin, 30);
}

TEST(PatternEvents, WhatIsNotKeptIsNotLinked) {
  SyntheticTrace trace(3);
  add_chain(trace);
  AnalysisOf found(trace, options_for_patterns(kAllOfThem));
  const PatternEvents patterns = list_patterns(found.trace(), found.result(), [](const PatternEvent& event) {
    return event.metric == Metric::kLateSender && event.location == LocationId(2);
  });
  ASSERT_EQ(patterns.all.size(), 1u);
  EXPECT_FALSE(patterns.all[0].delay.is_valid());
  EXPECT_FALSE(patterns.all[0].through.is_valid());
}

}  // namespace
}  // namespace tarry
