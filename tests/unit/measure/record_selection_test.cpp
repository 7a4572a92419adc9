// record_selection_test.cpp -- which selections are understood.
#include "measure/user/record_selection.hpp"

#include <gtest/gtest.h>

namespace tarry::measure {
namespace {

TEST(Selection, NamesAndRanges) {
  for (const char* text : {"solve", "step:0-9,100", "solve step:3", "a:1-", " spaced  out ", "step:last10"}) {
    Selection selection;
    EXPECT_TRUE(selection.parse(text)) << text;
    EXPECT_TRUE(selection.is_active()) << text;
  }
  Selection nothing;
  EXPECT_TRUE(nothing.parse(""));
  EXPECT_FALSE(nothing.is_active());
}

TEST(Selection, NonsenseIsRefused) {
  for (const char* text : {":1", "a:", "a:x", "a:5-3", "a:1,,2", "a:1;2", "a:-1", "a:last", "a:last0", "a:last-1",
                           "a:1,last2", "solve step:last2"}) {
    Selection selection;
    EXPECT_FALSE(selection.parse(text)) << text;
    EXPECT_FALSE(selection.is_active()) << text;
  }
}

}  // namespace
}  // namespace tarry::measure
