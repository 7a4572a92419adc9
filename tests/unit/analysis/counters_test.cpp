// counters_test.cpp -- what a trace says of counters becomes values of call paths.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

// Values of one counter of a thread, by call path.
std::map<std::string, double> counted(const AnalysisOf& found, std::uint32_t counter, std::uint32_t rank) {
  std::map<std::string, double> values;
  const Results& results = found.results();
  for (std::size_t column = 0; column < results.counters.size(); ++column)
    for (const CounterValue& value : results.counters[column])
      if (results.threads[column].rank_index == RankIndex(rank) && value.counter == CounterId(counter))
        values[found.path_name(value.path)] += value.value;
  return values;
}

class Counters : public testing::Test {
 protected:
  Counters() : trace(1) {
    Definitions& all = trace.edit_definitions();
    const auto add = [&all](const char* name, CounterMode mode, CounterType type) {
      all.counters.push_back({all.strings.intern(name), StringId(0), StringId(0), mode, type});
    };
    add("faults", CounterMode::kSinceStart, CounterType::kUnsigned);
    add("heap", CounterMode::kAbsolutePoint, CounterType::kUnsigned);
    add("joules", CounterMode::kSinceLast, CounterType::kDouble);
  }

  SyntheticStream& metric(Ticks time, std::uint64_t counter, std::uint64_t bits) {
    return trace.on(0).add(time, record::Metric{.metric = CounterId(counter), .value = bits});
  }

  SyntheticTrace trace;
};

using Values = std::map<std::string, double>;

TEST_F(Counters, DifferencesGoToThePathThatWasOpen) {
  metric(0, 0, 40);
  trace.on(0).enter(0, "main");
  metric(1, 0, 45);
  trace.on(0).enter(1, "f");
  metric(2, 0, 52);
  trace.on(0).enter(2, "g");
  metric(3, 0, 53);
  trace.on(0).leave(3);
  metric(4, 0, 60);
  trace.on(0).leave(4);
  metric(5, 0, 62);
  trace.on(0).leave(5);
  const AnalysisOf found(trace);
  EXPECT_EQ(counted(found, 0, 0), (Values{{"main", 7}, {"main/f", 14}, {"main/f/g", 1}}));
}

TEST_F(Counters, ThatAreNotDefinedAreLeftOut) {
  trace.on(0).enter(0, "main");
  metric(1, 3, 45);
  metric(2, 0xffffffffu, 50);
  trace.on(0).leave(3);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(Fault::kUndefinedReference), 2u);
  EXPECT_EQ(counted(found, 0, 0), Values());
}

TEST_F(Counters, OfLevelsTheHighestThatWasSeenStays) {
  metric(0, 1, 500);
  trace.on(0).enter(0, "main");
  metric(1, 1, 300);
  trace.on(0).enter(1, "f");
  metric(2, 1, 900);
  trace.on(0).leave(2);
  metric(3, 1, 100);
  trace.on(0).leave(3);
  const AnalysisOf found(trace);
  EXPECT_EQ(counted(found, 1, 0), (Values{{"main", 900}, {"main/f", 900}}));
}

TEST_F(Counters, ValuesSinceTheRecordBeforeAddUp) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  trace.on(0).enter(0, "main");
  metric(1, 2, bits(0.5));
  metric(2, 2, bits(1.25));
  trace.on(0).leave(3);
  EXPECT_EQ(counted(AnalysisOf(trace), 2, 0), (Values{{"main", 1.75}}));
}

TEST_F(Counters, AreLeftOutIfNobodyWantsThem) {
  trace.on(0).enter(0, "main");
  metric(1, 0, 1);
  metric(2, 0, 5);
  trace.on(0).leave(3);
  EXPECT_TRUE(counted(AnalysisOf(trace, AnalysisOptions{.wants_counters = false}), 0, 0).empty());
}

}  // namespace
}  // namespace tarry
