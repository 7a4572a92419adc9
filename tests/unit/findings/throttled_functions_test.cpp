// throttled_functions_test.cpp -- functions that were only counted, as the report tells.
#include "findings/losses/throttled_functions.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

std::string text_of(const std::string& lines) {
  ReportStructure report;
  if (!lines.empty()) report.attributes.emplace_back(kThrottledAttribute, lines);
  return throttled_text(read_throttled_functions(report));
}

TEST(ThrottledFunctions, AreNamedWithTheirCalls) {
  EXPECT_EQ(text_of("812 get(int, long); "),
            "THROTTLED: 812 calls of get(int, long) are only counted: their time counts for their callers");
  EXPECT_EQ(
      text_of("9 a; 8 b; 7 c; 6 d; 5 e; "),
      "THROTTLED: 9 calls of a, 8 of b, 7 of c and of 2 more are only counted: their time counts for their callers");
}

TEST(ThrottledFunctions, NeedNotBeThere) {
  EXPECT_EQ(text_of(""), "");
  EXPECT_EQ(text_of("nonsense"), "");
}

}  // namespace
}  // namespace tarry
