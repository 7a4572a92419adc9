// page_file_test.cpp -- slots of a temporary file, and what they hold.
#include "base/files/page_file.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tarry {
namespace {

constexpr std::size_t kSlot = std::size_t{64} << 10;

TEST(PageFile, SlotsAreGivenOnceUntilTheyComeBack) {
  auto file = PageFile::open(std::filesystem::temp_directory_path().string(), kSlot);
  ASSERT_TRUE(file.ok());
  std::vector<std::uint32_t> slots;
  file->take(100, slots);
  file->take(50, slots);
  EXPECT_EQ(std::set<std::uint32_t>(slots.begin(), slots.end()).size(), 150u);
  const std::vector<std::uint32_t> returned(slots.begin() + 10, slots.begin() + 40);
  file->give_back(returned);
  std::vector<std::uint32_t> again;
  file->take(30, again);
  EXPECT_TRUE(std::is_permutation(again.begin(), again.end(), returned.begin()));
}

TEST(PageFile, ASlotKeepsItsBytesWhereverItIsMapped) {
  auto file = PageFile::open(std::filesystem::temp_directory_path().string(), kSlot);
  ASSERT_TRUE(file.ok());
  std::vector<std::uint32_t> slots;
  file->take(2, slots);
  void* range = ::mmap(nullptr, 2 * kSlot, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto first = reinterpret_cast<std::uintptr_t>(range);
  ASSERT_TRUE(file->map(first, slots[0], true));
  ASSERT_TRUE(file->map(first + kSlot, slots[1], true));
  auto* bytes = static_cast<char*>(range);
  std::fill_n(bytes, kSlot, 'a');
  std::fill_n(bytes + kSlot, kSlot, 'b');
  ASSERT_TRUE(file->map(first, slots[1], false));
  ASSERT_TRUE(file->map(first + kSlot, slots[0], false));
  EXPECT_EQ(std::count(bytes, bytes + kSlot, 'b'), static_cast<std::ptrdiff_t>(kSlot));
  EXPECT_EQ(std::count(bytes + kSlot, bytes + 2 * kSlot, 'a'), static_cast<std::ptrdiff_t>(kSlot));
  ::munmap(range, 2 * kSlot);
}

}  // namespace
}  // namespace tarry
