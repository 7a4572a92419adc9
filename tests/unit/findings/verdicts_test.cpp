// verdicts_test.cpp -- hostile names break no format that verdicts are printed in.
#include "findings/verdicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tarry {
namespace {

const std::vector<Verdict> kVerdicts = {{"time", "main/a,b:c\n\"<x>&\x1b[2J", "1 -> 2 sec, +100.0%", true, 1},
                                        {"visits", "", "as before", false, 0}};

std::string printed(const std::string& format) {
  return verdicts_text(kVerdicts, "1 of 2 moved", format, {"a notice"}, "tarry test");
}

TEST(Verdicts, TextShowsFailuresOnOneLineEach) {
  const std::string text = printed("text");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_TRUE(text.starts_with("a notice\ntime"));
  EXPECT_TRUE(text.ends_with("1 of 2 moved\n"));
  EXPECT_EQ(text.find("as before"), std::string::npos);
}

TEST(Verdicts, AnAnnotationIsOneCommand) {
  const std::string text = printed("github");
  EXPECT_NE(text.find("::error title=time moved::main/a,b:c\\x0a\"<x>&"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(Verdicts, JunitHoldsAllAndQuotesNames) {
  const std::string text = printed("junit");
  EXPECT_NE(text.find("tests=\"2\" failures=\"1\""), std::string::npos);
  EXPECT_NE(text.find("&lt;x&gt;&amp;"), std::string::npos) << text;
  EXPECT_EQ(text.find("<x>"), std::string::npos);
  EXPECT_NE(text.find("name=\"all\"/>"), std::string::npos);
}

TEST(Verdicts, OneFailureDecidesTheStatus) {
  EXPECT_EQ(status_of(kVerdicts), 1);
  EXPECT_EQ(status_of({kVerdicts[1]}), 0);
  EXPECT_EQ(status_of({}), 0);
}

}  // namespace
}  // namespace tarry
