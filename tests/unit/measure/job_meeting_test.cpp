// job_meeting_test.cpp -- processes of a job join an archive, agree on its name, and know who is the last one.
#include "tools/measure/job_meeting.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "archive/archive.hpp"

namespace tarry {
namespace {

class Meeting : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tarry-job-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    ASSERT_TRUE(create_archive("a").ok());
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static JobMeeting member(std::uint32_t rank, std::uint32_t size = 3, const std::string& id = "j") {
    return JobMeeting({id, rank, size});
  }
  static bool has_entered(const JobMeeting& member) {
    const auto entered = member.enter("a");
    return entered.ok() && entered.value();
  }
  // The job's status, or -1 for those who are not the last.
  static int leave(std::uint32_t rank, int status, std::uint32_t size = 3) {
    const auto left = member(rank, size).leave("a", status);
    EXPECT_TRUE(left.ok());
    return left.ok() ? left.value().value_or(-1) : -2;
  }

  std::string folder_;
  std::filesystem::path before_;
};

TEST_F(Meeting, EachOneEntersOnceAndStrangersDoNot) {
  EXPECT_FALSE(has_entered(member(1))) << "no job has been there";
  ASSERT_TRUE(member(0).open("a").ok());
  EXPECT_TRUE(has_entered(member(1)));
  EXPECT_FALSE(has_entered(member(1)));
  EXPECT_FALSE(has_entered(member(0))) << "its creator is there";
  EXPECT_FALSE(has_entered(member(2, 3, "other")));
}

TEST_F(Meeting, TheLastOneLearnsTheFirstStatusThatIsNotZero) {
  ASSERT_TRUE(member(0).open("a").ok());
  EXPECT_EQ(leave(2, 0), -1);
  EXPECT_EQ(leave(0, 7), -1);
  EXPECT_EQ(leave(1, 9), 7);
}

TEST_F(Meeting, OneThatIsMissingLeavesNobodyTheLast) {
  ASSERT_TRUE(member(0).open("a").ok());
  EXPECT_EQ(leave(0, 0), -1);
  EXPECT_EQ(leave(1, 0), -1);
}

TEST_F(Meeting, OfManyWhoLeaveAtOnceOneIsTheLast) {
  constexpr std::uint32_t kMany = 16;
  ASSERT_TRUE(member(0, kMany).open("a").ok());
  std::vector<pid_t> children;
  for (std::uint32_t rank = 0; rank < kMany; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(leave(rank, 0, kMany) == 0 ? 1 : 0);
    children.push_back(child);
  }
  int last_ones = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    last_ones += WEXITSTATUS(status);
  }
  EXPECT_EQ(last_ones, 1);
}

TEST_F(Meeting, TheFirstProposalIsTheName) {
  const auto name = [](const JobMeeting& member, int attempt, const std::string& proposal) {
    const auto agreed = member.agree_on_name(attempt, [&] { return Result(proposal); });
    return agreed.ok() ? agreed.value() : agreed.error().text();
  };
  EXPECT_EQ(name(member(1), 0, "one"), "one");
  EXPECT_EQ(name(member(0), 0, "two"), "one");
  EXPECT_EQ(name(member(0), 1, "two"), "two");
  EXPECT_EQ(name(member(0, 3, "other"), 0, "three"), "three");
}

TEST_F(Meeting, TheNameIsForgottenWhenAllHaveCome) {
  const auto propose = [] { return Result(std::string("a")); };
  ASSERT_TRUE(member(0, 2).agree_on_name(0, propose).ok());
  ASSERT_TRUE(member(0, 2).open("a").ok());
  member(0, 2).forget_names("a", 1);
  EXPECT_TRUE(std::filesystem::exists(".tarry-job-j.0"));
  ASSERT_TRUE(has_entered(member(1, 2)));
  member(1, 2).forget_names("a", 1);
  EXPECT_FALSE(std::filesystem::exists(".tarry-job-j.0"));
}

}  // namespace
}  // namespace tarry
