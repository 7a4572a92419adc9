// model_growth_test.cpp -- the growths that are tried, their order, slopes and texts.
#include "scaling/model/growth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace tarry {
namespace {

TEST(Growth, OfTheReferenceAreTheDocumented42) {
  std::map<std::string, std::set<int>> logs;
  for (const Growth& growth : reference_growths()) logs[growth.power.text()].insert(growth.log);
  EXPECT_EQ(reference_growths().size(), 42u);
  EXPECT_EQ(logs["0"], (std::set<int>{1, 2}));
  for (const char* power : {"1/4", "1/3", "1/2", "2/3", "3/4", "1", "3/2", "2", "5/2"})
    EXPECT_EQ(logs[power], (std::set<int>{0, 1, 2})) << power;
  for (const char* power : {"5/4", "4/3", "3"}) EXPECT_EQ(logs[power], (std::set<int>{0, 1})) << power;
  for (const char* power : {"4/5", "5/3", "7/4", "9/4", "7/3", "8/3", "11/4"})
    EXPECT_EQ(logs[power], (std::set<int>{0})) << power;
}

TEST(Growth, HasValuesSlopesAndTexts) {
  const Growth root_log{{2, 3}, 2};
  EXPECT_DOUBLE_EQ(root_log.at(8), 4 * 9);
  EXPECT_EQ(root_log.text("p"), "p^(2/3) log2(p)^2");
  EXPECT_EQ((Growth{{2, 1}, 0}).text("n"), "n^2");
  EXPECT_EQ((Growth{{-1, 1}, 0}).text("n"), "n^(-1)");
  EXPECT_EQ((Growth{{0, 1}, 1}).text("p"), "log2(p)");
  EXPECT_EQ(Growth{}.text("p"), "");
  EXPECT_DOUBLE_EQ((Growth{{3, 2}, 0}).slope_beyond(64), 1.5);
  EXPECT_NEAR((Growth{{0, 1}, 1}).slope_beyond(64), std::log2(8.0 / 6) / 2, 1e-12);
  EXPECT_TRUE(std::isfinite((Growth{{0, 1}, 2}).slope_beyond(1)));
}

TEST(Growth, IsOrderedByWhatWinsInTheEnd) {
  EXPECT_TRUE(grows_slower({{0, 1}, 2}, {{1, 4}, 0}));
  EXPECT_TRUE(grows_slower({{1, 1}, 0}, {{1, 1}, 1}));
  EXPECT_TRUE(grows_slower({{-1, 1}, 0}, {{0, 1}, 1}));
  EXPECT_FALSE(grows_slower({{2, 3}, 0}, {{2, 3}, 0}));
}

}  // namespace
}  // namespace tarry
