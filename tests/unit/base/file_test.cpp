// file_test.cpp -- files written in one step; devices, pipes and links that stand at the path are written through.
#include "base/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace tarry {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tarry-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::size_t entries() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {})); }
  static std::string content(const std::string& path) {
    auto bytes = read_file(path);
    return bytes.ok() ? std::string(bytes->begin(), bytes->end()) : "unreadable";
  }

  fs::path folder_;
};

TEST_F(WriteFile, ReplacesAFileAndLeavesNothingBeside) {
  ASSERT_TRUE(write_file(path("a"), std::string_view("old")).ok());
  ASSERT_TRUE(write_file(path("a"), std::string_view("new")).ok());
  EXPECT_EQ(content(path("a")), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, KeepsTheOldFileWhenTheNewOneFails) {
  ASSERT_TRUE(write_file(path("a"), std::string_view("old")).ok());
  const Status outcome = write_file_with(path("a"), [](const File&) { return Status(Error{"a", "on purpose", ""}); });
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, APipeIsWrittenIntoAndStays) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(path("pipe")); });
  EXPECT_TRUE(write_file(path("pipe"), std::string_view("through")).ok());
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, ALinkStaysAndItsTargetIsReplaced) {
  ASSERT_TRUE(write_file(path("target"), std::string_view("old")).ok());
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file(path("link"), std::string_view("new")).ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(WriteFile, ALinkToNothingYetMakesItsTarget) {
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file(path("link"), std::string_view("new")).ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
}

TEST_F(WriteFile, AFileWithHolesIsReadAsZeros) {
  const File file(::open(path("sparse").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(::pwrite(file.descriptor(), "in", 2, 1 << 20), 2);
  ASSERT_EQ(::ftruncate(file.descriptor(), 3 << 20), 0);
  const auto mapped = MappedFile::open(path("sparse"));
  ASSERT_TRUE(mapped.ok());
  const auto bytes = mapped.value().bytes();
  ASSERT_EQ(bytes.size(), std::size_t{3} << 20);
  mapped.value().forget(bytes);
  EXPECT_EQ(bytes[1 << 20], 'i');
  EXPECT_EQ(bytes[0] + bytes[(1 << 20) + 2] + bytes.back(), 0);
}

}  // namespace
}  // namespace tarry
