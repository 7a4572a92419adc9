// message_matrix_test.cpp -- messages and bytes by sender and receiver, kept in a report.
#include "report/tables/message_matrix.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

constexpr std::uint32_t kOthers = MessageCount::kOthers;

TEST(MessageMatrix, PairsAreSummedUp) {
  const MessageMatrix sums = sum_messages({{1, 5, 1, 10}, {1, 2, 1, 7}, {1, 5, 2, 0}}, 10);
  EXPECT_EQ(sums, (MessageMatrix{{1, 2, 1, 7}, {1, 5, 3, 10}}));
}

TEST(MessageMatrix, ReceiversOfTheMostBytesAreKept) {
  const MessageMatrix sums = sum_messages({{1, 5, 1, 10}, {1, 2, 1, 7}, {1, 9, 4, 7}, {1, kOthers, 1, 1}}, 2);
  EXPECT_EQ(sums, (MessageMatrix{{1, 5, 1, 10}, {1, 9, 4, 7}, {1, kOthers, 2, 8}}));
  EXPECT_EQ(kept_receivers(65536), 64u);
  EXPECT_EQ(kept_receivers(1u << 24), 4u);
}

TEST(MessageMatrix, SurvivesTheReport) {
  const MessageMatrix matrix = {{0, 1, 3, 1u << 20}, {0, kOthers, 1, 0}, {7, 0, 1, 5}};
  std::vector<ReportFile> files;
  add_matrix({}, files);
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(read_matrix(files).value().empty());
  add_matrix(matrix, files);
  const auto read = read_matrix(files);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), matrix);
}

TEST(MessageMatrix, DamageIsFound) {
  std::vector<ReportFile> files;
  add_matrix({{0, 1, 3, 1000}, {1, 0, 3, 1000}}, files);
  const std::vector<std::uint8_t> bytes = files[0].bytes;
  files[0].bytes.pop_back();
  EXPECT_FALSE(read_matrix(files).ok());
  files[0].bytes = bytes;
  files[0].bytes[1] = 9;  // sender, no longer in order
  EXPECT_FALSE(read_matrix(files).ok());
  files[0].bytes = bytes;
  files[0].bytes[0] = 2;  // version
  EXPECT_FALSE(read_matrix(files).ok());
  files[0].bytes.clear();
  EXPECT_FALSE(read_matrix(files).ok());
}

}  // namespace
}  // namespace tarry
