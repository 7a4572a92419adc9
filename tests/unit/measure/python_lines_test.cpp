// python_lines_test.cpp -- the line tables of CPython, as its own compilers write them, and as nobody would.
#include "measure/callpath/python_lines.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tarry::measure {
namespace {

using Lines = PythonLayout::Lines;

class GivenBytes : public TableBytes {
 public:
  explicit GivenBytes(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  std::optional<std::uint8_t> next() override {
    if (at_ == bytes_.size()) return std::nullopt;
    return bytes_[at_++];
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

std::uint32_t line_at(Lines kind, const std::vector<std::uint8_t>& table, std::uint64_t offset) {
  GivenBytes bytes(table);
  return find_python_line(kind, bytes, 10, offset);
}

TEST(PythonLines, StepsAddUpToTheOffset) {
  const std::vector<std::uint8_t> table{0, 1, 6, 2, 4, 0xff};  // 6 bytes on line 11, 4 on 13, the rest on 12
  EXPECT_EQ(line_at(Lines::kSteps, table, 0), 11u);
  EXPECT_EQ(line_at(Lines::kSteps, table, 5), 11u);
  EXPECT_EQ(line_at(Lines::kSteps, table, 6), 13u);
  EXPECT_EQ(line_at(Lines::kSteps, table, 10), 12u);
  EXPECT_EQ(line_at(Lines::kSteps, {}, 10), 10u);
}

TEST(PythonLines, RangesMayHaveNoLine) {
  const std::vector<std::uint8_t> table{4, 1, 2, 0x80, 4, 2};
  EXPECT_EQ(line_at(Lines::kRanges, table, 3), 11u);
  EXPECT_EQ(line_at(Lines::kRanges, table, 4), 0u);
  EXPECT_EQ(line_at(Lines::kRanges, table, 6), 13u);
  EXPECT_EQ(line_at(Lines::kRanges, table, 10), 0u);
}

// Two instructions in the short form, and one on line 12 with columns. One without a line, one of the long form 70
// lines back, one without columns 100 lines further.
TEST(PythonLines, LocationsHaveFiveForms) {
  const std::vector<std::uint8_t> table{0x81, 0x23, 0xe0, 1, 2, 0xf8, 0xf0, 0x40 | 13, 2, 0, 1, 2, 0xe8, 0x40 | 8, 3};
  EXPECT_EQ(line_at(Lines::kLocations, table, 0), 10u);
  EXPECT_EQ(line_at(Lines::kLocations, table, 3), 10u);
  EXPECT_EQ(line_at(Lines::kLocations, table, 4), 12u);
  EXPECT_EQ(line_at(Lines::kLocations, table, 6), 0u);
  EXPECT_EQ(line_at(Lines::kLocations, table, 8), 0u);  // line -58
  EXPECT_EQ(line_at(Lines::kLocations, table, 10), 42u);
  EXPECT_EQ(line_at(Lines::kLocations, table, 12), 0u);
}

TEST(PythonLines, AnyBytesAreRead) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint8_t> table(random() % 40);
    for (std::uint8_t& byte : table) byte = static_cast<std::uint8_t>(random());
    for (const Lines kind : {Lines::kSteps, Lines::kRanges, Lines::kLocations})
      EXPECT_LE(line_at(kind, table, random() % 100), std::uint32_t{1} << 31);
  }
}

}  // namespace
}  // namespace tarry::measure
