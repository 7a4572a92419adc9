// gain_table_test.cpp -- what a run would gain without a delay or a region. A tick is a second; each answer follows by
// hand.
#include "prediction/gain_table.hpp"

#include <gtest/gtest.h>

#include "prediction/simulation/predict.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/analysis/golden_traces.hpp"

namespace tarry {
namespace {

// Of the chain: rank 0 computes for 400 s, the others for 100; they wait for it one after another.
GainTable gains_of_chain(const GainOptions& options, unsigned workers = 1) {
  SyntheticTrace source(3);
  add_chain(source);
  Exchange exchange;
  Trace trace(source, exchange, workers, {}, prediction_details());
  match_messages(trace, MatchOrder::kPosted);
  return make_gain_table(trace, Machine(), options);
}

TEST(GainTable, ADelayGainsWhatTheOthersWaitForIt) {
  const GainTable table = gains_of_chain({.most = 1});
  ASSERT_EQ(table.rows.size(), 2u);  // a delay and a region
  EXPECT_EQ(table.predicted, table.traced);
  const auto delay = std::ranges::find_if(table.rows, [](const GainRow& row) { return row.delay.has_value(); });
  ASSERT_NE(delay, table.rows.end());
  EXPECT_EQ(delay->number, 1u);
  EXPECT_EQ(delay->delay->path_text, "main/c");
  EXPECT_NEAR(delay->gain[0], 300, 1e-9);      // gone: rank 0 computes as long as the others
  EXPECT_NEAR(delay->gain[1], 300 / 2, 1e-9);  // half of it is left
}

TEST(GainTable, ARegionGainsWhatItComputesOnTheCriticalPath) {
  const GainTable table = gains_of_chain({.most = 1});
  const auto region = std::ranges::find_if(table.rows, [](const GainRow& row) { return !row.delay; });
  ASSERT_NE(region, table.rows.end());
  EXPECT_EQ(region->name, "c");
  EXPECT_NEAR(region->cost, 400 + 100 + 100, 1e-9);
  EXPECT_NEAR(region->gain[0], 400, 1e-9);
  EXPECT_TRUE(std::ranges::is_sorted(region->gain, std::greater()));
}

TEST(GainTable, LargestGainFirstAndTheSameForAllNumbersOfWorkers) {
  const GainTable one = gains_of_chain({.most = 5}), two = gains_of_chain({.most = 5}, 2);
  EXPECT_TRUE(std::ranges::is_sorted(one.rows, [](const GainRow& a, const GainRow& b) { return a.gain > b.gain; }));
  EXPECT_EQ(gain_json(one), gain_json(two));
}

TEST(GainTable, HasAFormForEachReader) {
  const GainTable table = gains_of_chain({.most = 1});
  EXPECT_NE(gain_json(table).find("\"callpath\": \"main/c\""), std::string::npos) << gain_json(table);
  EXPECT_TRUE(gain_csv(table).starts_with("kind,number,name,callpath,cost"));
  EXPECT_NE(gain_text(table).find("delay 1: c"), std::string::npos) << gain_text(table);
}

}  // namespace
}  // namespace tarry
