// sample_losses_test.cpp -- what a report tells of samples that were lost.
#include "findings/losses/sample_losses.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

ReportStructure report_with(const std::string& numbers) {
  ReportStructure report;
  report.attributes.emplace_back(kSamplesAttribute, numbers);
  return report;
}

TEST(SampleLosses, TellShareAndReasons) {
  const auto losses = read_sample_losses(report_with("150 7 10 0 36 0 4"));
  ASSERT_TRUE(losses);
  EXPECT_EQ(losses->taken, 150u);
  EXPECT_EQ(losses->inside_calls, 7u);
  EXPECT_EQ(losses->all_lost(), 50u);
  EXPECT_DOUBLE_EQ(losses->share(), 0.25);
  EXPECT_EQ(sample_losses_text(*losses),
            "SAMPLES LOST: 25.0% (50 of 200): 10 in the recorder, 36 whose stack could not be unwound, "
            "4 that came too late");
}

TEST(SampleLosses, AreNotTellableWhereHardlyAnyAre) {
  const auto losses = read_sample_losses(report_with("1000 0 9 0 0 0 0"));
  ASSERT_TRUE(losses);
  EXPECT_EQ(sample_losses_text(*losses), "");
}

TEST(SampleLosses, NeedSamples) {
  EXPECT_FALSE(read_sample_losses(ReportStructure()));
  EXPECT_FALSE(read_sample_losses(report_with("12 nonsense")));
  EXPECT_EQ(sample_losses_text({}), "");
}

}  // namespace
}  // namespace tarry
