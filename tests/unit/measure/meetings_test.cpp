// meetings_test.cpp -- announcements and their answers, roll calls, and the numbers of worlds in an archive.
#include "measure/core/meetings.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <vector>

#include "archive/files/names.hpp"
#include "base/files/file.hpp"
#include "measure/core/archive_claim.hpp"
#include "measure/core/launched_world.hpp"
#include "measure/core/process_start.hpp"

namespace tarry::measure {
namespace {

class Meetings : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tarry-meetings-XXXXXX";
    archive_ = ::mkdtemp(name.data());
    ::mkdir((archive_ + "/events").c_str(), 0777);
    std::memcpy(settings_.archive, archive_.c_str(), archive_.size() + 1);
    first_clock_reading();
  }
  void TearDown() override {
    ::unsetenv("OMPI_NUM_APP_CTX");
    ::unsetenv("PMIX_NAMESPACE");
    std::filesystem::remove_all(archive_);
  }

  // Runs it in so many other processes at once; how many say true.
  template <class Job>
  static int count_true(int processes, Job job) {
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(job(i) ? 0 : 1);
      children.push_back(child);
    }
    int yes = 0;
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      yes += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return yes;
  }

  std::string meetings() const { return archive_ + "/" + names::kMeetings; }

  int find_files(const std::string& beginning) const {
    int found = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(meetings(), none))
      found += entry.path().filename().string().starts_with(beginning);
    return found;
  }

  std::string archive_;
  Settings settings_;
};

TEST_F(Meetings, AnAnnouncementCountsItsAnswers) {
  Announcement announcement(archive_, WorldRank(3));
  EXPECT_EQ(announcement.count_answers(), 0u);
  {
    const Answers answers(archive_);
    EXPECT_TRUE(answers.are_any());
    EXPECT_EQ(announcement.count_answers(), 1u);
    EXPECT_EQ(count_true(5, [&](int) { return Answers(archive_).are_any(); }), 5);
  }
  EXPECT_EQ(announcement.count_answers(), 0u);
}

TEST_F(Meetings, OneProcessAnswersAllThatAreThere) {
  const Announcement first(archive_, WorldRank(0)), second(archive_, WorldRank(1));
  const Answers answers(archive_);
  EXPECT_EQ(first.count_answers(), 1u);
  EXPECT_EQ(second.count_answers(), 1u);
}

TEST_F(Meetings, NothingIsLeft) {
  {
    const Announcement announcement(archive_, WorldRank(0));
    const Answers answers(archive_);
    EXPECT_TRUE(path_exists(meetings()));
  }
  EXPECT_FALSE(path_exists(meetings()));
}

TEST_F(Meetings, NobodyAnswersWhereNothingIsAnnounced) {
  EXPECT_FALSE(Answers(archive_).are_any());
  EXPECT_FALSE(Answers("").are_any());
  EXPECT_FALSE(Answers(archive_ + "/missing").are_any());
  EXPECT_FALSE(path_exists(meetings()));
}

TEST_F(Meetings, AFolderThatIsGoneIsNotMadeAgain) {
  const std::string gone = archive_ + "/gone";
  EXPECT_EQ(Announcement(gone, WorldRank(0)).count_answers(), 0u);
  EXPECT_FALSE(path_exists(gone));
}

TEST_F(Meetings, OneProgramCallsNoRoll) {
  const RollCall roll(archive_);
  EXPECT_TRUE(roll.is_complete(1000, 0));
  EXPECT_FALSE(path_exists(meetings()));
}

TEST_F(Meetings, TheRollIsCompleteWhenAllHaveAnswered) {
  ::setenv("OMPI_NUM_APP_CTX", "2", 1);
  ::setenv("PMIX_NAMESPACE", "world/1", 1);
  const RollCall roll(archive_);
  EXPECT_EQ(count_true(2, [&](int) { return RollCall(archive_).is_complete(1, 0); }), 2);
  EXPECT_TRUE(roll.is_complete(3, 0));
  EXPECT_FALSE(roll.is_complete(4, 0));
  EXPECT_FALSE(RollCall("").is_complete(1, 0));
}

TEST_F(Meetings, TheProxyOfHydraNamesAWorld) {
  using std::string_literals::operator""s;
  const auto world = [](const std::string& command) { return world_of_hydra_proxy(command); };
  EXPECT_EQ(world("/usr/bin/hydra_pmi_proxy\0--control-port\0n1:4711\0--pgid\0002\0--proxy-id\0000\0"s), "n1:4711.2");
  EXPECT_EQ(world("pmi_proxy\0--pgid\0000\0--control-port\0n1:1"s), "n1:1.0");
  EXPECT_EQ(world("sh\0--control-port\0n1:4711\0--pgid\0002\0"s), "");
  EXPECT_EQ(world("hydra_pmi_proxy\0--usize\0-1\0"s), "");
  EXPECT_EQ(world("hydra_pmi_proxy\0--pgid\0001\0--control-port"s), "");
  EXPECT_EQ(world(""), "");
}

// Who accepts is there before the other one is connected, as MPI makes sure.
TEST_F(Meetings, TwoProcessesShakeHands) {
  using Side = Handshake::Side;
  for (int round = 0; round < 20; ++round) {
    Handshake acceptor(archive_, Side::kAccepts, "port 1");
    const pid_t child = ::fork();
    if (child == 0) {
      Handshake connector(archive_, Side::kConnects, "port 1");
      const bool is_met = connector.is_met();
      ::_exit(is_met ? 0 : 1);
    }
    while (find_files("connect.") + find_files("answer.") == 0) ::usleep(100);
    EXPECT_TRUE(acceptor.is_met());
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(acceptor.is_met());  // that was it
  }
  EXPECT_FALSE(path_exists(meetings()));
}

TEST_F(Meetings, NobodyShakesHandsAlone) {
  using Side = Handshake::Side;
  EXPECT_FALSE(Handshake(archive_, Side::kAccepts, "port 1").is_met());
  EXPECT_FALSE(Handshake(archive_, Side::kConnects, "port 1").is_met());
  EXPECT_FALSE(Handshake("", Side::kConnects, "port 1").is_met());
  EXPECT_FALSE(Handshake().is_met());
  {
    const Handshake acceptor(archive_, Side::kAccepts, "port 1");
    EXPECT_FALSE(Handshake(archive_, Side::kConnects, "port 2").is_met());
  }
  EXPECT_FALSE(path_exists(meetings()));
}

// One of them may be connected with a process that is not recorded, and nobody knows which.
TEST_F(Meetings, TwoWhoAcceptAtOnePortTrustNobody) {
  using Side = Handshake::Side;
  Handshake first(archive_, Side::kAccepts, "port 1");
  Handshake second(archive_, Side::kAccepts, "port 1");
  EXPECT_FALSE(Handshake(archive_, Side::kConnects, "port 1").is_met());
  EXPECT_FALSE(second.is_met());
  EXPECT_FALSE(first.is_met());
}

// A recorded process waits at a port whose owner has accepted another one, which is not recorded.
TEST_F(Meetings, WhoWaitsForItsTurnIsNotMet) {
  using Side = Handshake::Side;
  Handshake connector(archive_, Side::kConnects, "port 1");
  EXPECT_FALSE(Handshake(archive_, Side::kAccepts, "port 1").is_met());
  EXPECT_FALSE(connector.is_met());
  EXPECT_FALSE(path_exists(meetings()));
}

TEST_F(Meetings, WorldsFollowEachOther) {
  ASSERT_TRUE(claim_archive(settings_, 4));
  WorldPlace place;
  ASSERT_TRUE(join_archive(settings_, 3, place));
  EXPECT_EQ(place.first, WorldRank(4));
  EXPECT_TRUE(place.has_clock_of_first);
  ASSERT_TRUE(join_archive(settings_, 1, place));
  EXPECT_EQ(place.first, WorldRank(7));
}

TEST_F(Meetings, WorldsThatJoinAtOnceHaveDifferentNumbers) {
  constexpr int kWorlds = 40;
  ASSERT_TRUE(claim_archive(settings_, 2));
  EXPECT_EQ(count_true(kWorlds,
                       [&](int i) {
                         WorldPlace place;
                         if (!join_archive(settings_, 5, place)) return false;
                         std::ofstream(archive_ + "/" + std::to_string(i)) << place.first.value;
                         return true;
                       }),
            kWorlds);
  std::set<int> firsts;
  for (int i = 0; i < kWorlds; ++i) {
    int first = 0;
    std::ifstream(archive_ + "/" + std::to_string(i)) >> first;
    EXPECT_EQ((first - 2) % 5, 0);
    firsts.insert(first);
  }
  EXPECT_EQ(firsts.size(), std::size_t{kWorlds});
  EXPECT_EQ(*firsts.rbegin(), 2 + 5 * (kWorlds - 1));
}

TEST_F(Meetings, AnArchiveThatDoesNotSayWhatItHoldsIsRefused) {
  WorldPlace place;
  EXPECT_FALSE(join_archive(settings_, 1, place));
  for (const char* mark : {"", "x", "1", "0 99999999999\n", "0 4"}) {
    std::ofstream(archive_ + "/" + names::kJob) << mark;
    EXPECT_FALSE(join_archive(settings_, 1, place)) << mark;
  }
  std::ofstream(archive_ + "/" + names::kJob) << "0 67108864\nclock\n";
  EXPECT_FALSE(join_archive(settings_, 1, place));
  std::ofstream(archive_ + "/" + names::kJob) << "0 4\nanother clock\n";
  ASSERT_TRUE(join_archive(settings_, 1, place));
  EXPECT_FALSE(place.has_clock_of_first);
}

}  // namespace
}  // namespace tarry::measure
