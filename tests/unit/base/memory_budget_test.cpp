// memory_budget_test.cpp -- pages that come and go under the threads that use them.
#include "base/arrays/memory_budget.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <thread>

namespace tarry {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

std::string folder() { return std::filesystem::temp_directory_path().string(); }

// The process holds more than that: of the pages there are as few as may be.
std::unique_ptr<MemoryBudget> smallest_budget() {
  auto budget = MemoryBudget::create(1, folder());
  EXPECT_TRUE(budget.ok());
  return std::move(budget).value();
}

std::size_t resident_bytes() {
  unsigned long size = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  EXPECT_EQ(std::fscanf(file, "%lu %lu", &size, &resident), 2);
  std::fclose(file);
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void fill(void* block, std::size_t bytes, std::uint64_t seed) {
  auto* numbers = static_cast<std::uint64_t*>(block);
  for (std::size_t i = 0; i < bytes / sizeof *numbers; ++i) numbers[i] = seed * 1'000'003 + i;
}

bool holds(const void* block, std::size_t bytes, std::uint64_t seed) {
  const auto* numbers = static_cast<const std::uint64_t*>(block);
  for (std::size_t i = 0; i < bytes / sizeof *numbers; ++i)
    if (numbers[i] != seed * 1'000'003 + i) return false;
  return true;
}

// How a process ends that does `work`, and the most memory that it held.
struct Outcome {
  int status = 0;
  std::size_t most_bytes = 0;
};
Outcome in_a_process(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  Outcome outcome;
  rusage usage;
  EXPECT_EQ(::wait4(child, &outcome.status, 0, &usage), child);
  outcome.most_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  return outcome;
}

TEST(MemoryBudget, BlocksKeepTheirBytes) {
  const auto budget = smallest_budget();
  void* small = budget->allocate(1);
  void* large = budget->allocate(12 * kMebibyte);
  void* other = budget->allocate(9 * kMebibyte);
  fill(small, budget->unit(), 1);
  fill(large, 12 * kMebibyte, 2);
  fill(other, 9 * kMebibyte, 3);
  other = budget->extend(other, 30 * kMebibyte);
  EXPECT_TRUE(holds(small, budget->unit(), 1));
  EXPECT_TRUE(holds(large, 12 * kMebibyte, 2));
  EXPECT_TRUE(holds(other, 9 * kMebibyte, 3));
  budget->trim(other, 5 * kMebibyte);
  budget->release(large);
  // Takes over what was given back.
  large = budget->allocate(20 * kMebibyte);
  fill(large, 20 * kMebibyte, 4);
  EXPECT_TRUE(holds(other, 5 * kMebibyte, 3));
  budget->clear_memory();
  EXPECT_TRUE(holds(large, 20 * kMebibyte, 4));
  for (void* block : {small, large, other}) budget->release(block);
}

TEST(MemoryBudget, PartsKeepTheirBytes) {
  const auto budget = smallest_budget();
  std::vector<void*> parts;
  const auto size_of = [](std::size_t part) { return 8 + part * 64; };
  for (std::size_t i = 0; i < 700; ++i) {
    parts.push_back(budget->allocate_part(size_of(i)));
    fill(parts[i], size_of(i), i);
  }
  for (std::size_t i = 0; i < parts.size(); i += 2) budget->release_part(parts[i]);
  for (std::size_t i = 1; i < parts.size(); i += 2) EXPECT_TRUE(holds(parts[i], size_of(i), i));
  for (std::size_t i = 1; i < parts.size(); i += 2) budget->release_part(parts[i]);
}

// Sixteen threads read a block of all and write into one of their own, each much larger than what may be in memory.
TEST(MemoryBudget, ThreadsTakeUnitsFromOneAnother) {
  const auto budget = smallest_budget();
  constexpr std::size_t kBytes = 6 * kMebibyte;
  void* common = budget->allocate(kBytes);
  fill(common, kBytes, 99);
  std::vector<void*> own(16);
  for (void*& block : own) block = budget->allocate(kBytes);
  std::vector<char> is_right(own.size());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < own.size(); ++t)
    threads.emplace_back([&, t] {
      fill(own[t], kBytes, t);
      is_right[t] = holds(common, kBytes, 99) && holds(own[t], kBytes, t);
      budget->release(own[t]);
    });
  for (std::thread& thread : threads) thread.join();
  for (const char right : is_right) EXPECT_TRUE(right);
  budget->release(common);
}

TEST(MemoryBudget, TheProcessStaysBelowTheLimit) {
  const std::size_t limit = resident_bytes() + 32 * kMebibyte;
  const Outcome outcome = in_a_process([&] {
    auto created = MemoryBudget::create(limit, folder());
    if (!created.ok()) return false;
    MemoryBudget& budget = **created;
    void* block = budget.allocate(96 * kMebibyte);
    fill(block, 8 * kMebibyte, 5);
    const std::vector<char> beside(8 * kMebibyte, 'x');  // leaves less for the pages
    fill(block, 96 * kMebibyte, 5);
    const bool is_right = holds(block, 96 * kMebibyte, 5) && budget.most_elsewhere() >= beside.size();
    budget.release(block);
    return is_right;
  });
  EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0);
  EXPECT_LE(outcome.most_bytes, limit);
}

TEST(MemoryBudget, TwoDoNotMixTheirBlocksUp) {
  const auto one = smallest_budget(), other = smallest_budget();
  void* of_one = one->allocate(10 * kMebibyte);
  void* of_other = other->allocate(10 * kMebibyte);
  fill(of_one, 10 * kMebibyte, 1);
  fill(of_other, 10 * kMebibyte, 2);
  EXPECT_TRUE(holds(of_one, 10 * kMebibyte, 1));
  EXPECT_TRUE(holds(of_other, 10 * kMebibyte, 2));
  one->release(of_one);
  other->release(of_other);
}

TEST(MemoryBudget, AFaultOfTheProgramStaysOne) {
  const Outcome outcome = in_a_process([] {
    const auto budget = smallest_budget();
    auto* block = static_cast<volatile char*>(budget->allocate(kMebibyte));
    block[0] = 'x';
    *reinterpret_cast<volatile char*>(std::uintptr_t{64}) = 'x';  // no block is there
    return true;
  });
  EXPECT_FALSE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0);
}

TEST(MemoryBudget, NeedsAFolderThatCanBeWritten) {
  const auto budget = MemoryBudget::create(kMebibyte, "/proc/nothing");
  ASSERT_FALSE(budget.ok());
  EXPECT_EQ(budget.error().what, "/proc/nothing");
}

// As on a full disk: the file cannot be larger.
TEST(MemoryBudget, NoRoomInTheFolderIsAnError) {
  const Outcome outcome = in_a_process([] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{16 * kMebibyte, 16 * kMebibyte};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto budget = smallest_budget();
    void* block = budget->allocate(8 * kMebibyte);
    fill(block, 8 * kMebibyte, 1);
    try {
      budget->extend(block, 64 * kMebibyte);
      return false;
    } catch (const std::filesystem::filesystem_error& error) {
      return error.path1() == folder() && holds(block, 8 * kMebibyte, 1);
    }
  });
  EXPECT_TRUE(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0);
}

}  // namespace
}  // namespace tarry
