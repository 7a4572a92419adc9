// temporary_file_test.cpp -- folders on the way to what they become.
#include "base/temporary_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tarry {
namespace {

TEST(TemporaryFolder, GoesWithItsObjectAndAllThatIsInIt) {
  std::string path;
  {
    auto made = TemporaryFolder::make("test");
    ASSERT_TRUE(made.ok()) << made.error().text();
    const TemporaryFolder folder = std::move(*made);
    path = folder.path();
    EXPECT_NE(path.find("/tarry-test-"), path.npos);
    ASSERT_TRUE(write_file(path + "/file", "text").ok());
    EXPECT_EQ(text_of_file(path + "/file"), "text");
  }
  EXPECT_FALSE(path_exists(path));
}

TEST(TemporaryFolder, IsInTmpWhereTheWantedFolderIsNone) {
  const char* before = std::getenv("TMPDIR");
  const std::string wanted = before ? before : "";
  ::setenv("TMPDIR", "/dev/null/none", 1);
  auto made = TemporaryFolder::make("test");
  if (before) ::setenv("TMPDIR", wanted.c_str(), 1);
  else ::unsetenv("TMPDIR");
  ASSERT_TRUE(made.ok()) << made.error().text();
  EXPECT_TRUE(made->path().starts_with("/tmp/"));
}

TEST(TextOfFile, IsEmptyWhereNothingCanBeRead) { EXPECT_EQ(text_of_file("/dev/null/none"), ""); }

}  // namespace
}  // namespace tarry
