// source_files_test.cpp -- which files may go into a page.
#include "page/runs/source_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "base/files/file.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {
namespace {

constexpr std::time_t kAnyTime = std::numeric_limits<std::time_t>::max();

class SourceFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = create_folder_beside(testing::TempDir() + "sources");
    ASSERT_TRUE(made.ok());
    folder_ = made.value();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    EXPECT_TRUE(write_file(path, text).ok());
    return path;
  }

  std::string folder_;
};

TEST(SourceNames, OfProgramsOnly) {
  for (const char* name : {"a.c", "/x/b.CPP", "c.f90", "d.F", "e.py", "f.hpp"})
    EXPECT_TRUE(is_source_name(name)) << name;
  for (const char* name : {"", "passwd", "/etc/shadow", "id_rsa", "a.pem", "b.c.bak", ".c/key", "x.env"})
    EXPECT_FALSE(is_source_name(name)) << name;
  EXPECT_FALSE(is_source_name(std::string("/etc/shadow\0.c", 14)));
}

TEST_F(SourceFilesTest, LinesOfAFile) {
  const std::string path = write("a.c", "one\r\n\ntwo \xff\n" + std::string(1000, 'x'));
  SourceFiles files({}, kAnyTime);
  const auto& lines = files.lines(path);
  ASSERT_TRUE(lines);
  EXPECT_EQ(*lines, (std::vector<std::string>{"one", "", "two ?", std::string(400, 'x')}));
}

TEST_F(SourceFilesTest, AreFoundBelowAFolder) {
  write("heat.c", "text");
  SourceFiles files({folder_}, kAnyTime);
  EXPECT_TRUE(files.lines("/build/of/ann/heat.c"));
  EXPECT_FALSE(files.lines("/build/of/ann/cold.c"));
}

TEST_F(SourceFilesTest, NeitherOtherFilesNorNewerOnes) {
  const std::string secret = write("secret", "key"), source = write("a.c", "text");
  ASSERT_EQ(::mkfifo((folder_ + "/pipe.c").c_str(), 0600), 0);
  struct stat facts {};
  ASSERT_EQ(::stat(source.c_str(), &facts), 0);
  SourceFiles files({}, facts.st_mtime), older({}, facts.st_mtime - 1);
  EXPECT_TRUE(files.lines(source));
  EXPECT_FALSE(older.lines(source));
  EXPECT_FALSE(files.lines(secret));
  EXPECT_FALSE(files.lines(folder_ + "/pipe.c"));
  EXPECT_FALSE(files.lines(folder_ + "/missing.c"));
}

}  // namespace
}  // namespace tarry
