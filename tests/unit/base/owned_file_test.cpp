#include "base/files/owned_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace tarry {
namespace {

class OwnedFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }

  std::filesystem::path folder_ = testing::TempDir() + "owned_file_" + std::to_string(::getpid());
};

TEST_F(OwnedFileTest, IsOutOfReachAndClosesItself) {
  int number;
  {
    const auto file = OwnedFile::open(path("own"), O_RDWR | O_CREAT);
    ASSERT_TRUE(file.ok());
    number = file.value().descriptor();
    EXPECT_GT(number, 500);
    EXPECT_NE(::fcntl(number, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_LT(::fcntl(number, F_GETFD), 0);
}

TEST_F(OwnedFileTest, ANumberThatWasTakenIsNeitherUsedNorClosed) {
  int number;
  {
    const auto file = OwnedFile::open(path("own"), O_RDWR | O_CREAT);
    number = file.value().descriptor();
    const int other = ::open(path("other").c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_EQ(::dup2(other, number), number);
    ::close(other);
    EXPECT_EQ(file.value().descriptor(), -1);
    EXPECT_FALSE(file.value().is_open());
  }
  EXPECT_EQ(::write(number, "x", 1), 1);
  EXPECT_EQ(std::filesystem::file_size(path("other")), 1u);
  ::close(number);
}

TEST_F(OwnedFileTest, ANumberThatWasClosedIsNotUsed) {
  const auto file = OwnedFile::open(path("own"), O_RDWR | O_CREAT);
  ::close(file.value().descriptor());
  EXPECT_EQ(file.value().descriptor(), -1);
}

TEST_F(OwnedFileTest, FollowsNoLinksAndWaitsForNoPipe) {
  std::ofstream(path("victim")) << "text";
  std::filesystem::create_symlink("victim", path("link"));
  const auto link = OwnedFile::open(path("link"), O_RDWR | O_CREAT);
  ASSERT_FALSE(link.ok());
  EXPECT_EQ(link.error().why, "is a symbolic link");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto pipe = OwnedFile::open(path("pipe"), O_RDWR);
  ASSERT_FALSE(pipe.ok());
  EXPECT_EQ(pipe.error().why, "is no regular file");
}

}  // namespace
}  // namespace tarry
