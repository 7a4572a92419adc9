// format_test.cpp -- numbers and names as people read them.
#include "base/text/format.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Format, SecondsGetTheUnitThatFits) {
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(12.3456), "12.35 s");
  EXPECT_EQ(format_seconds(0.05), "50 ms");
  EXPECT_EQ(format_seconds(8.123e-4), "812.3 us");
  EXPECT_EQ(format_seconds(7e-9), "7 ns");
  EXPECT_EQ(format_seconds(123456.7), "123457 s");
  EXPECT_EQ(format_cpu_time(1800), "1800 s");
  EXPECT_EQ(format_cpu_time(36000), "10 CPU-hours");
}

TEST(Format, PercentDistinguishesLittleFromNothing) {
  EXPECT_EQ(format_percent(0), "0%");
  EXPECT_EQ(format_percent(0.3118), "31.2%");
  EXPECT_EQ(format_percent(1e-6), "<0.1%");
}

TEST(Format, CountsAndRanges) {
  EXPECT_EQ(format_count(1, "process", "processes"), "1 process");
  EXPECT_EQ(format_count(4, "process", "processes"), "4 processes");
  EXPECT_EQ(format_count(0, "event"), "0 events");
  EXPECT_EQ(format_ranges({5, 2, 0, 1, 2}, 4), "0-2,5");
  EXPECT_EQ(format_ranges({3, 4}, 4), "3,4");
  EXPECT_EQ(format_ranges({1, 3, 5, 7}, 2), "1,3,... (4 in all)");
  EXPECT_EQ(format_ranges({}, 2), "");
}

TEST(Format, ShorteningKeepsBothEndsAndWholeCharacters) {
  EXPECT_EQ(shorten_middle("main/step", 20), "main/step");
  EXPECT_EQ(shorten_end("main/step", 9), "main/step");
  EXPECT_EQ(shorten_end("main/step", 8), "main/...");
  EXPECT_EQ(shorten_middle("main/solve/exchange/MPI_Waitall", 20), "main/.../MPI_Waitall");
  const std::string umlauts =
      shorten_middle("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc", 6);
  EXPECT_EQ(umlauts, "\xc3\xa4...\xc3\xb6\xc3\xbc");
  EXPECT_EQ(display_width(umlauts), 6u);
  EXPECT_EQ(pad_left("7", 3), "  7");
  EXPECT_EQ(pad_right("7", 3), "7  ");
}

}  // namespace
}  // namespace tarry
