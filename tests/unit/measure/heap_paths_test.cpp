// heap_paths_test.cpp -- what call paths have allocated: at the end, and at the peak, against a copy made there.
#include "measure/metrics/heap_paths.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <vector>

namespace tarry::measure {
namespace {

struct Values {
  std::uint64_t bytes, blocks, at_peak;
  bool operator==(const Values&) const = default;
};

class HeapPathsTest : public testing::Test {
 protected:
  HeapPathsTest() { sites.open(memory.get()); }

  HeapSiteId allocate(std::size_t path, std::int64_t bytes) {
    const HeapSiteId site = paths.site_of(nodes[path]);
    in_use += bytes;
    if (in_use > peak) peak = in_use, sites.note_peak();
    sites.add(site, bytes);
    return site;
  }
  void release(HeapSiteId site, std::int64_t bytes) {
    in_use -= bytes;
    sites.note_less();
    sites.remove(site, bytes);
  }
  Values values(std::size_t path) const {
    std::uint64_t values[kHeapPathFields];
    paths.read(nodes[path], values);
    return {values[0], values[1], values[2]};
  }

  std::unique_ptr<HeapSite[]> memory{new HeapSite[10'000]()};
  HeapSites sites;
  HeapPaths paths{sites};
  std::array<PathNode, 1000> nodes;
  std::int64_t in_use = 0, peak = 0;
};

TEST_F(HeapPathsTest, EachPathHasItsSite) {
  std::vector<HeapSiteId> of;
  for (std::size_t i = 0; i < nodes.size(); ++i) of.push_back(paths.site_of(nodes[i]));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_NE(of[i], kNoHeapSite);
    EXPECT_EQ(paths.site_of(nodes[i]), of[i]);
    EXPECT_TRUE(i == 0 || of[i] != of[i - 1]);
  }
  EXPECT_EQ(values(5), (Values{0, 0, 0}));
}

TEST_F(HeapPathsTest, AFreeCountsForThePathOfItsBlock) {
  const HeapSiteId one = allocate(0, 100), other = allocate(1, 30);
  allocate(0, 11);
  release(one, 100);
  release(other, 30);
  EXPECT_EQ(values(0), (Values{11, 1, 111}));
  EXPECT_EQ(values(1), (Values{0, 0, 30}));
  EXPECT_EQ(paths.live_blocks(), 1);
}

// Whatever order blocks come and go in.
TEST_F(HeapPathsTest, PathsHaveWhatTheyHadAtThePeak) {
  struct Block {
    std::size_t path;
    HeapSiteId site;
    std::int64_t bytes;
  };
  std::mt19937 random(7);
  std::vector<Block> live;
  std::array<std::int64_t, 5> now = {}, then = {};
  for (int step = 0; step < 20'000; ++step) {
    const bool grows = step / 500 % 2 == 0;
    if (random() % 100 < (grows ? 60 : 40) || live.empty()) {
      const std::size_t path = random() % now.size();
      const auto bytes = static_cast<std::int64_t>(1 + random() % 1000);
      const bool is_peak = in_use + bytes > peak;
      live.push_back({path, allocate(path, bytes), bytes});
      now[path] += bytes;
      if (is_peak) then = now;
    } else {
      const auto chosen = live.begin() + static_cast<std::ptrdiff_t>(random() % live.size());
      release(chosen->site, chosen->bytes);
      now[chosen->path] -= chosen->bytes;
      live.erase(chosen);
    }
    if (step % 100 != 0) continue;
    for (std::size_t path = 0; path < now.size(); ++path) {
      ASSERT_EQ(values(path).bytes, static_cast<std::uint64_t>(now[path])) << step;
      ASSERT_EQ(values(path).at_peak, static_cast<std::uint64_t>(then[path])) << step;
    }
  }
}

// As where iterations join a cluster: later frees count there, too. What has nothing keeps its site for the next one.
TEST_F(HeapPathsTest, ValuesMoveWithTheirBlocks) {
  const HeapSiteId first = allocate(0, 100);
  paths.move(nodes[1], nodes[0]);
  paths.forget(nodes[0]);
  EXPECT_EQ(values(0), (Values{0, 0, 0}));
  EXPECT_EQ(values(1), (Values{100, 1, 100}));
  const HeapSiteId second = allocate(0, 50);
  EXPECT_NE(second, first);
  paths.move(nodes[1], nodes[0]);
  release(first, 100);
  EXPECT_EQ(values(1), (Values{50, 1, 150}));
  const HeapSiteId third = paths.site_of(nodes[0]);
  paths.move(nodes[1], nodes[0]);
  EXPECT_EQ(paths.site_of(nodes[0]), third);
  paths.forget(nodes[1]);
  EXPECT_EQ(values(1), (Values{0, 0, 0}));
  release(second, 50);
  EXPECT_EQ(values(1), (Values{0, 0, 0}));
}

}  // namespace
}  // namespace tarry::measure
