#include "measure/core/spool.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "measure/core/recording_lock.hpp"
#include "measure/core/signal_block.hpp"
#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "trace/container.hpp"

namespace tarry::measure {
namespace {

class SpoolTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::size_t open_descriptors() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
    return count;
  }

  std::filesystem::path folder_ = testing::TempDir() + "spool_" + std::to_string(::getpid());
  std::string path_ = folder_ / "run.spool";
};

TEST_F(SpoolTest, BlocksAreInTheFileAndNoDescriptorStaysOpen) {
  const std::size_t before = open_descriptors();
  Spool spool;
  ASSERT_TRUE(spool.open(path_).ok());
  std::set<std::uint8_t*> blocks;
  for (int i = 0; i < 100; ++i) {
    const auto block = spool.take();
    ASSERT_TRUE(block.ok()) << block.error().text();
    std::memset(block.value(), i + 1, kBlockBytes);
    blocks.insert(block.value());
  }
  EXPECT_EQ(blocks.size(), 100u);
  EXPECT_EQ(open_descriptors(), before);
  std::ifstream file(path_, std::ios::binary);
  for (int i = 0; i < 100; ++i) {
    file.seekg(static_cast<std::streamoff>(kSpoolFirstBlock + (1 + static_cast<std::size_t>(i)) * kBlockBytes));
    EXPECT_EQ(file.get(), i + 1);
  }
  spool.remove();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SpoolTest, AFileThatTookItsNameIsLeftAlone) {
  Spool spool;
  ASSERT_TRUE(spool.open(path_).ok());
  std::filesystem::rename(path_, path_ + ".moved");
  std::ofstream(path_) << "mine";
  const auto block = spool.take();
  ASSERT_FALSE(block.ok());
  EXPECT_EQ(block.error().why, "is another file now");
  spool.remove();
  EXPECT_EQ(std::filesystem::file_size(path_), 4u);
}

TEST_F(SpoolTest, AReleasedBlockReadsAsZeros) {
  Spool spool;
  ASSERT_TRUE(spool.open(path_).ok());
  const auto block = spool.take();
  ASSERT_TRUE(block.ok());
  std::memset(block.value(), 7, kBlockBytes);
  Spool::release(block.value());
  EXPECT_EQ(block.value()[0], 0);
  EXPECT_TRUE(spool.release_reserve());
  EXPECT_FALSE(spool.release_reserve());
}

TEST_F(SpoolTest, AFileSizeLimitRaisesNoSignal) {
  Spool spool;
  ASSERT_TRUE(spool.open(path_).ok());
  ASSERT_TRUE(spool.take().ok());
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto block = spool.take();  // the default of SIGXFSZ would end this test
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(block.ok());
  EXPECT_EQ(block.error().why, "File too large");
}

TEST(WriteSignalsTest, TakesItsOwnAndKeepsOthers) {
  sigset_t pipe, before;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const auto is_pending = [] {
    sigset_t set;
    ::sigpending(&set);
    return ::sigismember(&set, SIGPIPE) == 1;
  };
  {
    const WriteSignals ours;
    EXPECT_EQ(::write(ends[1], "x", 1), -1);
    EXPECT_TRUE(is_pending());
  }
  EXPECT_FALSE(is_pending());
  ::raise(SIGPIPE);
  {
    const WriteSignals ours;
    EXPECT_EQ(::write(ends[1], "x", 1), -1);
  }
  EXPECT_TRUE(is_pending());
  const timespec at_once = {0, 0};
  ::sigtimedwait(&pipe, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::close(ends[1]);
}

TEST_F(SpoolTest, ALockLastsAsLongAsItsMap) {
  const std::size_t before = open_descriptors();
  const std::string archive = folder_;
  RecordingLock lock;
  lock.hold(archive + "/" + names::kRecording);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(is_being_recorded(archive));
  lock.release();
  EXPECT_FALSE(is_being_recorded(archive));
}

}  // namespace
}  // namespace tarry::measure
