// run_timeline_test.cpp -- bins and windows of a timeline: a chain of waits, the same for all numbers of workers,
// limits.
#include "analysis/timeline/run_timeline.hpp"

#include <gtest/gtest.h>

#include "analysis/analysis.hpp"
#include "analysis/timeline/row_bins.hpp"
#include "analysis/timeline/visit_recorder.hpp"
#include "golden_traces.hpp"
#include "replay/matching/match_messages.hpp"

namespace tarry {
namespace {

RunTimeline timeline_of(SyntheticTrace& trace, const RunTimelineOptions& options, unsigned workers = 1) {
  Exchange exchange;
  KeptDetails details = Compatibility::none().kept_details();
  details.visit_logs = true;
  Trace read(trace, exchange, workers, TimeSelector(), details);
  match_messages(read, MatchOrder::kPosted);
  const Analysis analysis =
      analyse(read, read.take_locks(), {.instances = kWaitsInTimeline, .wants_stretches = true, .keeps_causes = true});
  return make_timeline(read, analysis.unified, {analysis.result.instances, analysis.result.stretches}, options);
}

TEST(Timeline, HasCallsMessagesAndTheChainOfWaits) {
  SyntheticTrace trace(3);
  add_chain(trace);
  const RunTimeline timeline = timeline_of(trace, {});
  ASSERT_EQ(timeline.windows.size(), 1u);
  const EventWindow& window = timeline.windows[0];
  EXPECT_TRUE(window.is_whole);
  EXPECT_EQ(window.calls.size(), 16u);
  EXPECT_EQ(window.messages.size(), 2u);
  const auto is_late = [](const TimelineWait& wait) { return wait.facts.metric == Metric::kLateSender; };
  std::vector<TimelineWait> late;
  std::ranges::copy_if(window.waits, std::back_inserter(late), is_late);
  ASSERT_EQ(late.size(), 2u);
  EXPECT_EQ(late[0].row, 1u);
  EXPECT_EQ(late[0].cause_row, 0u);
  EXPECT_EQ(late[0].facts.why.begin, 100);
  EXPECT_EQ(late[0].facts.why.end, 500);
  EXPECT_EQ(late[0].facts.why.delay, 300);
  EXPECT_EQ(late[0].through, kNoTimelineWait);
  EXPECT_EQ(late[1].row, 2u);
  ASSERT_LT(late[1].through, window.waits.size());
  EXPECT_EQ(window.waits[late[1].through].row, 1u);
}

TEST(Timeline, IsTheSameForAllNumbersOfWorkers) {
  SyntheticTrace trace(3);
  add_chain(trace);
  const RunTimeline one = timeline_of(trace, {}, 1);
  for (const unsigned workers : {2u, 3u}) {
    const RunTimeline other = timeline_of(trace, {}, workers);
    EXPECT_EQ(one.levels.back().classes, other.levels.back().classes);
    EXPECT_EQ(one.levels.back().waits, other.levels.back().waits);
    EXPECT_EQ(one.levels.back().critical, other.levels.back().critical);
    EXPECT_EQ(one.windows[0].calls.size(), other.windows[0].calls.size());
  }
}

TEST(Timeline, ALongRunHasWindowsAroundItsWorstWaits) {
  SyntheticTrace trace(3);
  add_chain(trace);
  const RunTimeline timeline = timeline_of(trace, {.wanted = {{0, 50}}, .whole_events = 1});
  ASSERT_GE(timeline.windows.size(), 2u);
  EXPECT_EQ(timeline.windows[0].end, 50);
  for (const EventWindow& window : timeline.windows) EXPECT_FALSE(window.is_whole);
  EXPECT_NE(timeline.windows[1].metric, Metric::kNone);
}

TEST(Timeline, ProfilesHaveTheWaitsOfACallPathOverTime) {
  SyntheticTrace trace(3);
  add_chain(trace);
  const RunTimeline timeline = timeline_of(trace, {});
  const auto late = std::ranges::find(timeline.profiles, Metric::kLateSender, &WaitProfile::metric);
  ASSERT_NE(late, timeline.profiles.end());
  Ticks sum = 0, of_waits = 0;
  for (const Ticks ticks : late->bins) sum += ticks;
  for (const TimelineWait& wait : timeline.windows[0].waits)
    if (wait.facts.metric == Metric::kLateSender && wait.facts.path == late->path) of_waits += wait.facts.full_wait;
  EXPECT_EQ(sum, late->total);
  EXPECT_EQ(sum, of_waits);
  EXPECT_EQ(late->bins.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(timeline.profiles, std::greater(), &WaitProfile::total));
}

TEST(RowBins, DivideTimeAndShowShares) {
  RowBins bins({0, 10, 4}, 2);
  bins.add(0, 0, 14);
  bins.add(1, 14, 30);
  bins.add_wait(10, 15);
  TimelineBins level{4, std::vector(4, kNothingInBin), std::vector<std::uint8_t>(4), std::vector<std::uint8_t>(4)};
  bins.write(0, level);
  EXPECT_EQ(level.classes, (std::vector<std::uint8_t>{0, 1, 1, kNothingInBin}));
  EXPECT_EQ(level.waits, (std::vector<std::uint8_t>{0, 128, 0, 0}));
}

TEST(KeptCalls, TheLongestStayInOrder) {
  KeptCalls calls(2);
  for (Ticks t = 0; t < 10; ++t) calls.add({0, 0, 10 * t, 10 * t + 1 + t % 5, 0});
  const auto kept = calls.take();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].enter, 40);
  EXPECT_EQ(kept[1].enter, 90);
  EXPECT_EQ(calls.left_out(), 8u);
}

}  // namespace
}  // namespace tarry
