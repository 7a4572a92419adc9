// recording_costs_test.cpp -- costs of recording come back from the attributes of a report; nonsense does not.
#include "report/metrics/recording_costs.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

RecordingFacts sample() {
  RecordingFacts facts;
  facts.mode = RecordingMode::kBoth;
  facts.is_filtered = true;
  facts.lookups = 20832;
  facts.lookup_seconds = 0.0199;
  facts.stretch = 1.5;
  facts.costs.emplace();
  facts.costs->machine = "node7";
  for (std::size_t kind = 0; kind < kCostKinds; ++kind)
    for (std::size_t mode = 0; mode < kRecordingModes; ++mode)
      facts.costs->seconds[kind][mode] = 1e-9 * static_cast<double>(10 * kind + mode);
  return facts;
}

ReportAttributes attributes_of(const RecordingFacts& facts) {
  ReportAttributes attributes;
  add_recording_facts(facts, attributes);
  return attributes;
}

TEST(RecordingCosts, ComeBackFromAttributes) {
  const RecordingFacts facts = read_recording_facts(attributes_of(sample()));
  EXPECT_TRUE(facts.is_known);
  EXPECT_EQ(facts.mode, RecordingMode::kBoth);
  EXPECT_TRUE(facts.is_filtered);
  EXPECT_DOUBLE_EQ(facts.lookups, 20832);
  EXPECT_DOUBLE_EQ(facts.lookup_seconds, 0.0199);
  EXPECT_DOUBLE_EQ(facts.stretch, 1.5);
  ASSERT_TRUE(facts.costs);
  EXPECT_EQ(facts.costs->machine, "node7");
  EXPECT_DOUBLE_EQ(facts.costs->of(CostKind::kFile, RecordingMode::kSummary), 71e-9);
}

TEST(RecordingCosts, AReportOfAnotherToolHasNone) {
  const RecordingFacts facts = read_recording_facts({{"Creator", "Score-P 8.4"}});
  EXPECT_FALSE(facts.is_known);
  EXPECT_FALSE(facts.costs);
  EXPECT_DOUBLE_EQ(facts.stretch, 1);
}

TEST(RecordingCosts, ImpossibleOnesCountAsNone) {
  for (const char* text : {"", "1e-8", "1e-8,1e-8", "1e-8,-1e-8,1e-8", "1e-8,nan,1e-8", "1e-8,inf,1e-8", "1,1,1",
                           "1e-8,1e-8,1e-8,1e-8", "1e-8,x,1e-8", "1e-8,1e-8,1e-8 s"}) {
    ReportAttributes attributes = attributes_of(sample());
    for (auto& [key, value] : attributes)
      if (key == "recording_cost_call") value = text;
    EXPECT_FALSE(read_recording_facts(attributes).costs) << text;
  }
}

TEST(RecordingCosts, ImpossibleFactsCountAsUsual) {
  const RecordingFacts facts = read_recording_facts({{"recording_mode", "summary"},
                                                     {"recording_stretch", "-3"},
                                                     {"call_path_stacks", "1e99"},
                                                     {"call_path_seconds", "nan"}});
  EXPECT_DOUBLE_EQ(facts.stretch, 1);
  EXPECT_DOUBLE_EQ(facts.lookups, 0);
  EXPECT_DOUBLE_EQ(facts.lookup_seconds, 0);
}

}  // namespace
}  // namespace tarry
