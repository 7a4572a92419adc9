// message_matrix_test.cpp -- messages and bytes by sender and receiver, kept in a report.
#include "report/message_matrix.hpp"

#include <gtest/gtest.h>

#include "report/cubex_reader.hpp"
#include "report/cubex_writer.hpp"
#include "tests/unit/findings/example_report.hpp"

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

// No member of a report has a size that is a multiple of 512: the writer adds a byte.
TEST(MessageMatrix, OfAnySizeSurvivesTheFile) {
  Example example;
  Report& report = example.report;
  MessageMatrix matrix;
  for (std::uint32_t rank = 0; report.files.empty() || report.files[0].bytes.size() % 512 != 0; ++rank) {
    matrix.push_back({rank / 100, rank % 100, 1, rank % 50 + (rank % 7 == 0 ? 200u : 0u)});
    report.files.clear();
    add_matrix(matrix, report.files);
  }
  const std::string path = testing::TempDir() + "matrix.cubex";
  ASSERT_TRUE(write_cubex(report, path).ok());
  const auto written = read_cubex(path);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(read_matrix(written.value().files).value(), matrix);
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
