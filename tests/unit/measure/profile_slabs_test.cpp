// profile_slabs_test.cpp -- the memory that call paths and counts take.
#include "measure/core/profile_slabs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "measure/core/block_pool.hpp"
#include "measure/core/profile_tree.hpp"
#include "trace/container.hpp"

namespace tarry::measure {
namespace {

TEST(ProfileSlabs, PathsAndCountsGrowTowardsEachOther) {
  PathNode root;
  ProfileSlabs slabs(root);
  const PathNode* const first = slabs.new_path();
  const std::uint64_t* const last = slabs.new_count<std::uint64_t>(7);
  const PathNode* const second = slabs.new_path();
  const std::uint64_t* const next_to_last = slabs.new_count<std::uint64_t>(8);
  EXPECT_EQ(second, first + 1);
  EXPECT_EQ(next_to_last, last - 1);
  EXPECT_EQ(*last, 7u);
  EXPECT_EQ(first->visits, 0u);
  EXPECT_EQ(slabs.path_count(), 2u);
  const auto* const end_of_paths = reinterpret_cast<const char*>(second + 1);
  EXPECT_LT(end_of_paths, reinterpret_cast<const char*>(next_to_last));
  slabs.release();
}

// What the slabs of a tree take beyond the first, for each of `kPaths` call paths.
template <class Visit>
double spooled_bytes_each(std::size_t counters, Visit visit) {
  constexpr std::uint32_t kPaths = 40'000, kSiblings = 20;  // few: without an index
  const std::string name = testing::TempDir() + "profile_tree." + std::to_string(::getpid());
  const std::string path = name + ".spool";
  BlockPool pool;
  pool.open({.container = name + ".tev", .spool = path, .memory = 1 << 20});
  ProfileTree tree;
  const std::vector<CounterId> ids(counters, CounterId(0));
  tree.use_counters(ids, std::span<const bool>(std::array<bool, 8>{}).first(counters));
  tree.outlive_process(pool, WorldRank(0), 0);
  for (std::uint32_t i = 0; i < kPaths / kSiblings; ++i) {
    tree.enter(i, RegionId(0));  // ever deeper
    for (std::uint32_t region = 1; region < kSiblings; ++region) {
      tree.enter(i, RegionId(region));
      visit(tree);
      tree.leave(i);
    }
  }
  const auto spool = Container::open(path);
  EXPECT_TRUE(spool.ok());
  const auto slabs = std::ranges::count_if(
      spool.value().chunks(), [](const ChunkRef& chunk) { return chunk.header.kind == ChunkKind::kProfileMemory; });
  pool.remove_spool();
  return static_cast<double>((slabs - 1) * static_cast<std::ptrdiff_t>(kBlockBytes)) / kPaths;
}

// docs/INSTRUMENTING.md names these figures, and this test.
TEST(ProfileSlabs, TakesTheMemoryThatTheManualTells) {
  const auto nothing = [](ProfileTree&) {};
  EXPECT_NEAR(spooled_bytes_each(0, nothing), 120, 7);  // a slab is seven bytes of a path
  EXPECT_NEAR(spooled_bytes_each(2, nothing), 120 + 2 * 8, 7);
  const auto send = [](ProfileTree& tree) { tree.count_send(CommId(0), CommRank(1), 8); };
  EXPECT_NEAR(spooled_bytes_each(0, send), 120 + 0.95 * 152, 7);  // 19 of 20 paths send
  const auto send_to_others = [to = 0u](ProfileTree& tree) mutable {
    tree.count_send(CommId(0), CommRank(to++ % 4096), 8);
  };
  EXPECT_NEAR(spooled_bytes_each(0, send_to_others) - spooled_bytes_each(0, send), 32 * 4096 / 40'000.0, 7);
}

}  // namespace
}  // namespace tarry::measure
