// assertion_test.cpp -- the language of tarry cube test: what it computes, and what it refuses.
#include "tools/cube-ops/assertion.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

// incl(time) is 10, excl(time) 4 and excl(time, "main/solve") 2; of "base" everything is half of that.
Result<double> read_sample(std::uint32_t report, const Quantity& quantity) {
  if (quantity.metric != "time") return Error{quantity.metric, "is no metric", ""};
  const double value = quantity.is_inclusive ? 10 : quantity.path == "main/solve" ? 2 : 4;
  return report == Assertion::kNewReport ? value : value / 2;
}

Result<bool> holds(const std::string& text) {
  auto assertion = Assertion::parse(text, {"base"});
  if (!assertion.ok()) return assertion.error();
  std::vector<Assertion::Outcome> outcomes;
  return assertion->evaluate(read_sample, outcomes);
}

bool is_true(const std::string& text) {
  const auto result = holds(text);
  EXPECT_TRUE(result.ok()) << text << ": " << (result.ok() ? "" : result.error().text());
  return result.ok() && result.value();
}

TEST(Assertion, ComparesValuesOfReports) {
  EXPECT_TRUE(is_true("incl(time) == 10"));
  EXPECT_TRUE(is_true("excl(time) < 5"));
  EXPECT_TRUE(is_true("excl(time, \"main/solve\") <= 2"));
  EXPECT_TRUE(is_true("incl(time) > base.incl(time)"));
  EXPECT_FALSE(is_true("incl(time) != 10"));
}

TEST(Assertion, ComputesWithTheUsualPrecedence) {
  EXPECT_TRUE(is_true("2 + 3 * 4 == 14"));
  EXPECT_TRUE(is_true("(2 + 3) * 4 == 20"));
  EXPECT_TRUE(is_true("-2 - -3 == 1"));
  EXPECT_TRUE(is_true("min(3, 2) + max(3, 2) + abs(-1) == 6"));
  EXPECT_TRUE(is_true("excl(time) / incl(time) == 40%"));
}

TEST(Assertion, TheNameOfAReportIsTheOtherSideThere) {
  EXPECT_TRUE(is_true("incl(time) == 2 * base"));
  EXPECT_FALSE(is_true("incl(time) < 1.1 * base"));
}

TEST(Assertion, AndBindsStrongerThanOr) {
  EXPECT_TRUE(is_true("1 < 2 or 2 < 1 and 3 < 1"));
  EXPECT_FALSE(is_true("2 < 1 and 1 < 2 or 3 < 1"));
}

TEST(Assertion, TellsEachComparisonAsItWasWritten) {
  const auto assertion = Assertion::parse("incl(time) < 3 and 1 < 2", {});
  ASSERT_TRUE(assertion.ok());
  std::vector<Assertion::Outcome> outcomes;
  ASSERT_TRUE(assertion.value().evaluate(read_sample, outcomes).ok());
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].text, "incl(time) < 3");
  EXPECT_DOUBLE_EQ(outcomes[0].left, 10);
  EXPECT_FALSE(outcomes[0].holds);
  EXPECT_TRUE(outcomes[1].holds);
}

TEST(Assertion, WrongTextsAreRefusedWithTheirPlace) {
  for (const char* text : {"", "1", "1 <", "incl(time", "excl() < 1", "1 < 2 and", "1 < 2 3", "other.incl(time) < 1",
                           "1 < \"", "foo(1) < 2"})
    EXPECT_FALSE(holds(text).ok()) << text;
  const auto refused = Assertion::parse("1 < 2 ; 3", {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().why.find("at character 7"), std::string::npos) << refused.error().why;
  EXPECT_FALSE(holds("incl(visits) < 1").ok());
}

TEST(Assertion, DeepNestingIsRefusedAndEndsNothing) {
  EXPECT_FALSE(holds(std::string(100000, '(') + "1").ok());
  EXPECT_FALSE(holds(std::string(100000, '-') + "1 < 2").ok());
}

}  // namespace
}  // namespace tarry
