// file_table_test.cpp -- what a run has done with each file, kept in a report.
#include "report/file_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tarry {
namespace {

FileUse use_of(const char* name, std::uint64_t reads, double seconds) {
  return {.name = name, .opens = 1, .reads = reads, .bytes_read = 10 * reads, .seconds = seconds};
}

TEST(FileTable, ProcessesOfOneNameAreCounted) {
  FileTableBuilder builder;
  builder.add_process({use_of("b", 1, 0.5), use_of("a", 2, 0.25), use_of("b", 3, 0.5)});
  builder.add_process({});
  builder.add_process({use_of("b", 5, 1)});
  const FileTable table = builder.take();
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0],
            (FileUse{.name = "a", .processes = 1, .opens = 1, .reads = 2, .bytes_read = 20, .seconds = 0.25}));
  EXPECT_EQ(table[1], (FileUse{.name = "b", .processes = 2, .opens = 3, .reads = 9, .bytes_read = 90, .seconds = 2}));
}

TEST(FileTable, HasABound) {
  constexpr std::size_t kMost = 65536;
  FileTableBuilder builder;
  for (std::size_t process = 0; process < 5; ++process) {
    std::vector<FileUse> files;
    for (std::size_t i = 0; i < 20000; ++i)
      files.push_back(use_of(std::to_string(20000 * process + i).c_str(), 1, static_cast<double>(process)));
    builder.add_process(files);
  }
  const FileTable table = builder.take();
  ASSERT_EQ(table.size(), kMost + 1);
  const auto others = std::ranges::find(table, "other files", &FileUse::name);
  ASSERT_NE(others, table.end());
  EXPECT_EQ(others->reads, 100000 - kMost);
  EXPECT_LE(others->seconds, static_cast<double>(others->reads));  // of the first two processes
}

TEST(FileTable, FilesThatAreNotToldApartHaveAName) {
  EXPECT_EQ(file_use(Definitions(), {.reads = 7}).name, "other files");
  EXPECT_EQ(file_use(Definitions(), {.reads = 7}).reads, 7u);
}

TEST(FileTable, SurvivesTheReport) {
  FileTable table = {use_of("a", 1u << 20, 1e-9), use_of("b", 0, 3e9)};
  table[1].processes = 65536;
  table[1].bytes_written = 1ull << 40;
  std::vector<ReportFile> files;
  add_file_table({}, files);
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(read_file_table(files).value().empty());
  add_file_table(table, files);
  const auto read = read_file_table(files);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), table);
}

TEST(FileTable, DamageIsFound) {
  std::vector<ReportFile> files;
  add_file_table({use_of("a", 1, 1), use_of("b", 1, 1)}, files);
  const std::vector<std::uint8_t> bytes = files[0].bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    files[0].bytes.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const bool is_whole_row = size == 1 || size == (bytes.size() + 1) / 2;
    EXPECT_EQ(read_file_table(files).ok(), is_whole_row) << size;
  }
  files[0].bytes = bytes;
  files[0].bytes[2] = 'z';  // a name, no longer in order
  EXPECT_FALSE(read_file_table(files).ok());
  files[0].bytes = bytes;
  files[0].bytes[0] = 2;  // version
  EXPECT_FALSE(read_file_table(files).ok());
}

}  // namespace
}  // namespace tarry
