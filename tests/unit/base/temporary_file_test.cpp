// temporary_file_test.cpp -- folders on the way to what they become.
#include "base/files/temporary_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(DraftNote, FoldersGoWithAllThatIsInThemAndNothingElse) {
  auto outer = TemporaryFolder::make("test");
  ASSERT_TRUE(outer.ok()) << outer.error().text();
  const std::string kept = outer->path() + "/kept", draft = outer->path() + "/draft", freed = outer->path() + "/freed";
  for (const std::string& folder : {kept, draft, draft + "/in", draft + "/in/deeper", freed})
    ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(write_file(draft + "/in/file " + std::to_string(i), "text").ok());
  ASSERT_TRUE(write_file(kept + "/file", "text").ok());
  ASSERT_EQ(::symlink(kept.c_str(), (draft + "/in/deeper/link").c_str()), 0);
  {
    const DraftNote note(draft);
    DraftNote(freed).forget();
    remove_drafts();
  }
  EXPECT_FALSE(path_exists(draft));
  EXPECT_TRUE(path_exists(kept + "/file"));
  EXPECT_TRUE(path_exists(freed));
}

TEST(TextOfFile, IsEmptyWhereNothingCanBeRead) { EXPECT_EQ(text_of_file("/dev/null/none"), ""); }

}  // namespace
}  // namespace tarry
