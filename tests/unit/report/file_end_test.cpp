// file_end_test.cpp -- tables of any size survive a report: files of whole tar blocks get one byte more there.
#include "report/tables/file_end.hpp"

#include <gtest/gtest.h>

#include "report/cubex/cubex_reader.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "report/tables/file_table.hpp"
#include "report/tables/iteration_table.hpp"
#include "report/tables/message_matrix.hpp"
#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBlock = 512;

// The extra files of a report with these, once it has been written and read.
std::vector<ReportFile> in_report(std::vector<ReportFile> files) {
  const std::string path = testing::TempDir() + "file_end.cubex";
  Report report = sample_report();
  report.files = std::move(files);
  EXPECT_TRUE(write_cubex(report, path).ok());
  auto read = read_cubex(path);
  EXPECT_TRUE(read.ok());
  return read.ok() ? read->files : std::vector<ReportFile>();
}

TEST(FileEnd, OfAMessageMatrix) {
  MessageMatrix matrix;
  for (std::uint32_t receiver = 0; receiver < 126; ++receiver) matrix.push_back({0, receiver, 1, 5});
  matrix.push_back({1, 0, 1, 1u << 21});
  std::vector<ReportFile> files;
  add_matrix(matrix, files);
  ASSERT_EQ(files[0].bytes.size(), kBlock);
  const auto read = read_matrix(in_report(files));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), matrix);
}

TEST(FileEnd, OfATableOfFiles) {
  FileTable table = {{.name = "a", .processes = 1, .seconds = 1}};
  std::vector<ReportFile> files;
  add_file_table(table, files);
  table[0].name.resize(kBlock - files[0].bytes.size(), 'a');  // its length takes a byte more
  files.clear();
  add_file_table(table, files);
  ASSERT_EQ(files[0].bytes.size(), kBlock);
  const auto read = read_file_table(in_report(files));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), table);
}

TEST(FileEnd, OfATableOfIterations) {
  IterationTable table{"r", true, {0}, {{0, 0, 1}}, {{"time", "sec", 1e-9, {7}}}};
  std::vector<ReportFile> files;
  add_iteration_table(table, files);
  table.region.resize(kBlock - files[0].bytes.size(), 'r');
  files.clear();
  add_iteration_table(table, files);
  ASSERT_EQ(files[0].bytes.size(), kBlock);
  const auto read = read_iteration_table(in_report(files));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), table);
}

}  // namespace
}  // namespace tarry
