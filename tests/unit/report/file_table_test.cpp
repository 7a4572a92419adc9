// file_table_test.cpp -- what a run has done with each file, kept in a report.
#include "report/tables/file_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tarry {
namespace {

FileUse use_of(const char* name, std::uint64_t reads, double seconds) {
  return {.name = name, .opens = 1, .reads = reads, .bytes_read = 10 * reads, .seconds = seconds};
}

// A process opens "b" twice; numbers of files are those of `names`.
Definitions definitions_of(std::initializer_list<const char*> names) {
  Definitions definitions;
  for (const char* name : names) definitions.io_handles.push_back({definitions.strings.intern(name), CommId(0)});
  return definitions;
}

FileCount count_of(std::uint32_t file, std::uint64_t reads, Ticks time) {
  return {.file = file, .opens = 1, .reads = reads, .bytes_read = 10 * reads, .time = time};
}

TEST(FileTable, ProcessesOfOneNameAreCounted) {
  const Definitions definitions = definitions_of({"b", "a", "b"});
  FileTableBuilder builder(definitions);
  builder.add_process(
      std::vector{count_of(0, 1, 500'000'000), count_of(1, 2, 250'000'000), count_of(2, 3, 500'000'000)});
  builder.add_process({});
  builder.add_process(std::vector{count_of(2, 5, 1'000'000'000)});
  const FileTable table = builder.take();
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0],
            (FileUse{.name = "a", .processes = 1, .opens = 1, .reads = 2, .bytes_read = 20, .seconds = 0.25}));
  EXPECT_EQ(table[1], (FileUse{.name = "b", .processes = 2, .opens = 3, .reads = 9, .bytes_read = 90, .seconds = 2}));
}

// Sums of seconds would: 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
TEST(FileTable, DoesNotDependOnTheOrder) {
  const Definitions definitions = definitions_of({"a"});
  FileTableBuilder one(definitions), other(definitions), whole(definitions);
  one.add_process(std::vector{count_of(0, 1, 100'000'000), count_of(0, 1, 200'000'000), count_of(0, 1, 300'000'000)});
  other.add_process(std::vector{count_of(0, 1, 300'000'000), count_of(0, 1, 200'000'000), count_of(0, 1, 100'000'000)});
  whole.add_process(std::vector{count_of(0, 3, 600'000'000)});
  const double seconds = one.take()[0].seconds;
  EXPECT_EQ(seconds, other.take()[0].seconds);
  EXPECT_EQ(seconds, whole.take()[0].seconds);
}

TEST(FileTable, HasABound) {
  constexpr std::size_t kMost = 65536, kOfEach = 20000;
  Definitions definitions;
  for (std::size_t i = 0; i < 5 * kOfEach; ++i)
    definitions.io_handles.push_back({definitions.strings.intern(std::to_string(i)), CommId(0)});
  FileTableBuilder builder(definitions);
  for (std::size_t process = 0; process < 5; ++process) {
    std::vector<FileCount> files;
    for (std::size_t i = 0; i < kOfEach; ++i)
      files.push_back(
          count_of(static_cast<std::uint32_t>(kOfEach * process + i), 1, static_cast<Ticks>(process) * 1'000'000'000));
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
  const Definitions definitions;
  FileTableBuilder builder(definitions);
  builder.add_process(std::vector<FileCount>{{.reads = 7}});
  const FileTable table = builder.take();
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0].name, "other files");
  EXPECT_EQ(table[0].reads, 7u);
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
