// visit_log_test.cpp -- visits are told as they were written: any times, any paths, the ones of a trace.
#include "replay/scan/visit_log.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/analysis/analysis_of.hpp"

namespace tarry {
namespace {

using Told = std::vector<std::pair<std::int64_t, Ticks>>;  // path, or -1 for a leave; time

Told told_by(const VisitLog& log) {
  Told told;
  log.tell([&](PathIndex path, Ticks time) { told.emplace_back(path, time); },
           [&](Ticks time) { told.emplace_back(-1, time); });
  return told;
}

TEST(VisitLog, TellsWhatWasWritten) {
  VisitLog log;
  const Ticks late = std::numeric_limits<Ticks>::max(), early = std::numeric_limits<Ticks>::min();
  log.enter(0, 100);
  log.enter(4'000'000'000u, late);
  log.leave(early);
  log.leave(5);
  log.finish();
  EXPECT_EQ(told_by(log), (Told{{0, 100}, {4'000'000'000u, late}, {-1, early}, {-1, 5}}));
}

TEST(VisitLog, NothingIsToldOfNothing) {
  VisitLog log;
  log.finish();
  EXPECT_TRUE(told_by(log).empty());
}

TEST(VisitLog, HasTheVisitsOfATraceIfAskedFor) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").visit(2, 3, "f").enter(5, "g").leave(7);
  AnalysisOf with(trace, AnalysisOptions{.wants_stretches = true}), without(trace, AnalysisOptions());
  const auto& thread = with.trace().ranks()[RankIndex(0)].threads[kMaster];
  ASSERT_TRUE(thread.visit_log);
  // The end of the trace ends what is open.
  EXPECT_EQ(told_by(*thread.visit_log), (Told{{0, 0}, {1, 2}, {-1, 3}, {2, 5}, {-1, 7}, {-1, 7}}));
  EXPECT_FALSE(without.trace().ranks()[RankIndex(0)].threads[kMaster].visit_log);
}

}  // namespace
}  // namespace tarry
