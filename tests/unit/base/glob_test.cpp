// glob_test.cpp -- shell patterns.
#include "base/text/glob.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tarry {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_TRUE(matches_glob("solve", "solve"));
  EXPECT_FALSE(matches_glob("solve", "solver"));
  EXPECT_FALSE(matches_glob("solver", "solve"));
  EXPECT_FALSE(matches_glob("", "a"));
}

TEST(Glob, StarTakesAnyNumber) {
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("*/foo/*.c", "/src/foo/bar/foo/x.c"));
  EXPECT_TRUE(matches_glob("a**b", "ab"));
  EXPECT_FALSE(matches_glob("*ab", "abc"));
  EXPECT_TRUE(matches_glob("*aab", "aaaaab"));
}

TEST(Glob, BracketsAndQuestionMarks) {
  EXPECT_TRUE(matches_glob("f?o[0-9]", "foo7"));
  EXPECT_FALSE(matches_glob("f?o[0-9]", "foox"));
  EXPECT_TRUE(matches_glob("[!a-c]x", "dx"));
  EXPECT_FALSE(matches_glob("[!a-c]x", "bx"));
  EXPECT_TRUE(matches_glob("[]]", "]"));
  EXPECT_TRUE(matches_glob("operator[", "operator["));
}

TEST(Glob, BackslashQuotes) {
  EXPECT_TRUE(matches_glob("\\*x", "*x"));
  EXPECT_FALSE(matches_glob("\\*x", "ax"));
  EXPECT_TRUE(matches_glob("operator\\[\\]", "operator[]"));
}

TEST(Glob, BracketsMayHoldClasses) {
  EXPECT_TRUE(matches_glob("f[[:digit:]]", "f7"));
  EXPECT_FALSE(matches_glob("f[[:digit:]]", "fx"));
  EXPECT_TRUE(matches_glob("[![:upper:]_]*", "solve"));
  EXPECT_FALSE(matches_glob("[![:upper:]_]*", "_solve"));
  EXPECT_TRUE(matches_glob("[[:nosuch:]]", "n]"));
}

TEST(Glob, ManyStarsTakeNoLongTime) {
  std::string pattern, text(10000, 'a');
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(matches_glob(pattern + "b", text));
}

TEST(Glob, ANameMayBeMeantAsItStands) {
  EXPECT_TRUE(is_named("operator[]", "operator[]"));
  EXPECT_TRUE(is_named("solve_1", "solve_*"));
  EXPECT_FALSE(is_named("solver", "solve"));
}

}  // namespace
}  // namespace tarry
