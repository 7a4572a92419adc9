// run_unify_test.cpp -- an archive that nobody closed becomes whole, by one process and by several together.
#include "tools/unify/run_unify.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "archive/reading/archive_source.hpp"
#include "base/tool/log.hpp"
#include "tests/unit/archive/sample_archive.hpp"

namespace tarry {
namespace {

// The messages between processes that are threads here.
class Mailboxes {
 public:
  void put(std::uint32_t from, std::uint32_t to, Message message) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to}].push_back(std::move(message));
    changed_.notify_all();
  }
  Message take(std::uint32_t from, std::uint32_t to) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    changed_.wait(lock, [&] { return !box.empty(); });
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Message>> boxes_;
};

class Member final : public GroupTransport {
 public:
  Member(Mailboxes& boxes, std::uint32_t rank, std::uint32_t size) : boxes_(boxes), rank_(rank), size_(size) {}
  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }
  void send(std::uint32_t to, Message message) override { boxes_.put(rank_, to, std::move(message)); }
  Message receive(std::uint32_t from) override { return boxes_.take(from, rank_); }

 private:
  Mailboxes& boxes_;
  std::uint32_t rank_, size_;
};

// All members' outcomes; what they print.
std::pair<bool, std::string> unify_with(const std::string& archive, std::uint32_t members) {
  Mailboxes boxes;
  std::vector<std::thread> others;
  std::vector<char> went_well(members);
  const auto run = [&](std::uint32_t rank) {
    Member member(boxes, rank, members);
    went_well[rank] = run_unify(archive, "tarry unify", member).ok();
  };
  testing::internal::CaptureStderr();
  for (std::uint32_t rank = 1; rank < members; ++rank) others.emplace_back(run, rank);
  run(0);
  for (std::thread& other : others) other.join();
  return {std::find(went_well.begin(), went_well.end(), 0) == went_well.end(), testing::internal::GetCapturedStderr()};
}

TEST(RunUnify, WritesDefinitionsAndSummaryOnce) {
  sample::Folder folder;
  const std::string archive = folder.path("run");
  ASSERT_TRUE(sample::record(archive).ok());
  EXPECT_FALSE(path_exists(archive + "/" + names::kDefinitions));
  const auto [went_well, told] = unify_with(archive, 1);
  EXPECT_TRUE(went_well);
  EXPECT_NE(told.find("wrote the global definitions of 4 processes and 8 threads"), std::string::npos) << told;
  EXPECT_TRUE(path_exists(archive + "/" + names::kDefinitions));
  EXPECT_TRUE(path_exists(archive + "/" + names::kSummary));
  const auto [again, told_again] = unify_with(archive, 1);
  EXPECT_TRUE(again);
  EXPECT_NE(told_again.find("are there already"), std::string::npos) << told_again;
}

TEST(RunUnify, MakesASummaryThatIsMissing) {
  sample::Folder folder;
  const std::string archive = folder.path("run");
  ASSERT_TRUE(sample::record_and_finish(archive).ok());
  std::filesystem::remove(archive + "/" + names::kSummary);
  EXPECT_TRUE(unify_with(archive, 1).first);
  EXPECT_TRUE(path_exists(archive + "/" + names::kSummary));
}

TEST(RunUnify, SeveralProcessesWriteTheSame) {
  sample::Folder folder;
  ASSERT_TRUE(sample::record(folder.path("one")).ok());
  ASSERT_TRUE(unify_with(folder.path("one"), 1).first);
  for (const std::uint32_t members : {2u, 3u}) {
    const std::string archive = folder.path("by" + std::to_string(members));
    ASSERT_TRUE(sample::record(archive).ok());
    ASSERT_TRUE(unify_with(archive, members).first);
    const auto expected = read_file(folder.path("one") + "/" + names::kDefinitions);
    const auto made = read_file(archive + "/" + names::kDefinitions);
    ASSERT_TRUE(expected.ok() && made.ok());
    EXPECT_EQ(expected.value(), made.value());
  }
}

TEST(RunUnify, WhatIsNoArchiveIsRefused) {
  sample::Folder folder;
  EXPECT_FALSE(unify_with(folder.path("none"), 1).first);
}

}  // namespace
}  // namespace tarry
