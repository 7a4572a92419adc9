// file_test.cpp -- files written in one step; devices, pipes and links that are at the path are written through.
#include "base/files/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "base/files/temporary_file.hpp"

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

TEST_F(WriteFile, WhatIsOursReplacesLinksAndPipes) {
  ASSERT_TRUE(write_file(path("victim"), std::string_view("precious")).ok());
  fs::create_symlink("victim", path("link"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::uint8_t bytes[] = {'n', 'e', 'w'};
  for (const char* name : {"link", "pipe"}) {
    ASSERT_TRUE(replace_file(path(name), bytes).ok());
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path(name))));
    EXPECT_EQ(content(path(name)), "new");
  }
  EXPECT_EQ(content(path("victim")), "precious");
}

TEST_F(WriteFile, ALinkToNothingYetMakesItsTarget) {
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file(path("link"), std::string_view("new")).ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
}

// An attacker knows the path and the process.
TEST_F(WriteFile, LinksUnderGuessedTemporaryNamesAreNotFollowed) {
  ASSERT_TRUE(write_file(path("victim"), std::string_view("precious")).ok());
  const std::string guess = "a." + std::to_string(::getpid()) + ".tmp";
  fs::create_symlink("victim", path(guess.c_str()));
  ASSERT_TRUE(write_file(path("a"), std::string_view("new")).ok());
  EXPECT_EQ(content(path("a")), "new");
  EXPECT_EQ(content(path("victim")), "precious");
  EXPECT_TRUE(fs::is_symlink(path(guess.c_str())));
}

TEST_F(WriteFile, TemporaryNamesAreNeverTheSame) {
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) {
    const auto created = create_file_beside(path("a"));
    ASSERT_TRUE(created.ok());
    EXPECT_TRUE(created.value().name().starts_with(path("a.")) && created.value().name().ends_with(".tmp"));
    names.insert(created.value().name());
  }
  EXPECT_EQ(names.size(), 100u);
}

TEST_F(WriteFile, ANameAsLongAsTheFileSystemTakes) {
  const std::string longest(255, 'x');
  ASSERT_TRUE(write_file(path(longest.c_str()), std::string_view("new")).ok());
  EXPECT_EQ(content(path(longest.c_str())), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, OnlyRegularFilesAreInputs) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto why = [](const std::string& path) {
    const auto file = MappedFile::open(path);
    return file.ok() ? "" : file.error().text();
  };
  EXPECT_NE(why(path("pipe")).find("is a pipe, not a file"), std::string::npos);
  EXPECT_NE(why("/dev/zero").find("is a device, not a file"), std::string::npos);
  EXPECT_NE(why(folder_.string()).find("is a folder, not a file"), std::string::npos);
  fs::create_symlink("/dev/zero", path("link"));
  EXPECT_NE(why(path("link")).find("is a device, not a file"), std::string::npos);
  EXPECT_FALSE(read_file("/dev/zero").ok());
  EXPECT_EQ(content(folder_.string()), "unreadable");
}

TEST_F(WriteFile, APipeWithoutAWriterIsGivenUp) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto read = read_file(path("pipe"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().why, "is a pipe without a writer");
}

TEST_F(WriteFile, APipeWhoseWriterTakesItsTimeIsRead) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    ::usleep(50000);
    const File pipe(::open(path("pipe").c_str(), O_WRONLY));
    ::usleep(50000);
    EXPECT_TRUE(write_all(pipe, "late", 4, "pipe").ok());
  });
  EXPECT_EQ(content(path("pipe")), "late");
  writer.join();
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
