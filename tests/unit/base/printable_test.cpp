// printable_test.cpp -- nothing that a terminal acts upon gets into text for people.
#include "base/text/printable.hpp"

#include <gtest/gtest.h>

#include "base/text/format.hpp"

namespace tarry {
namespace {

TEST(Printable, ControlCharactersAreShown) {
  EXPECT_EQ(printable("solve \\ <int>"), "solve \\ <int>");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("two\nlines\r\t\x7f"), "two\\x0alines\\x0d\\x09\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, C1ControlsAreShownAsBytesAndAsCharacters) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(printable("\xc2\x80\xc2\x9f\xc2\xa0"), "\\u0080\\u009f\xc2\xa0");
}

TEST(Printable, WhatTurnsTheDirectionOrBreaksLinesIsShown) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6\xe2\x80\xa8"),
            "a\\u202eb\\u2066\\u2028");
  EXPECT_EQ(printable("\xd8\x9c\xe2\x80\x8f\xef\xbb\xbf"), "\\u061c\\u200f\\ufeff");
}

TEST(Printable, OtherLettersStay) {
  const char* const name = "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
  EXPECT_EQ(printable(name), name);
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");
}

TEST(Printable, ASecondPassChangesNothing) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  const std::string once = printable(all);
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, ALineIsOneLine) {
  std::string text;
  add_line(text, "first\nsecond");
  add_line(text);
  EXPECT_EQ(text, "first\\x0asecond\n\n");
  EXPECT_EQ(shorten_middle("\x1b[31mred", 40), "\\x1b[31mred");
}

}  // namespace
}  // namespace tarry
