// tree_unify_test.cpp -- unification over a tree gives what the naive way gives, whatever the system looks like.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/text/text_hash.hpp"
#include "defs/system_tree.hpp"

namespace tarry {
namespace {

using Path = std::vector<std::pair<std::string, std::string>>;

// The same system as plain definitions, for the naive way.
Definitions definitions_of(const SystemFacts& facts) {
  Definitions all;
  const auto find_or_add = [&](SystemNodeId parent, const std::pair<std::string, std::string>& unit) {
    const StringId class_name = all.strings.intern(unit.first), name = all.strings.intern(unit.second);
    for (std::size_t i = 0; i < all.system_nodes.size(); ++i) {
      const SystemNode& node = all.system_nodes[i];
      if (node.parent == parent && node.class_name == class_name && node.name == name) return SystemNodeId(i);
    }
    all.system_nodes.push_back({name, class_name, parent});
    return SystemNodeId(all.system_nodes.size() - 1);
  };
  for (std::uint32_t rank = 0; rank < facts.ranks; ++rank) {
    SystemNodeId node;
    for (const auto& unit : facts.path_of(rank)) node = find_or_add(node, unit);
    all.processes.push_back({StringId(0), rank, node, true});
    const Sequence process = facts.process_of(rank);
    const std::uint64_t threads = process.children.empty() ? 0 : process.children[0].copies;
    for (std::uint32_t t = 0; t < threads; ++t) all.locations.push_back({StringId(0), ProcessId(rank), t, 0});
  }
  return all;
}

Sequence process_of(std::uint64_t threads) { return {"process", 1, {{"thread", threads, {}}}}; }

void expect_as_naive(const SystemFacts& facts) {
  std::vector<std::uint64_t> units;
  const std::vector<Sequence> naive = system_tree_of(definitions_of(facts), &units);
  const SystemTree tree = build_system_tree(facts);
  EXPECT_EQ(tree.roots, naive);
  EXPECT_EQ(tree.process_units, units);
}

SystemFacts homogeneous(std::uint32_t ranks) {
  SystemFacts facts;
  facts.ranks = ranks;
  facts.path_of = [](std::uint32_t rank) { return Path{{"machine", "m"}, {"node", "n" + std::to_string(rank / 8)}}; };
  facts.process_of = [](std::uint32_t) { return process_of(4); };
  return facts;
}

TEST(TreeUnify, EveryMemberHasOneParentAndSubtreesAreContiguous) {
  for (const std::uint32_t size : {1u, 2u, 3u, 7u, 8u, 100u}) {
    std::vector<int> children(size, 0);
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      const TreePlace place = find_place(rank, size);
      EXPECT_EQ(place.parent == TreePlace::kNobody, rank == 0);
      if (rank > 0) ++children[place.parent];
      for (const std::uint32_t child : {place.left, place.right}) {
        EXPECT_TRUE(child == TreePlace::kNobody || find_place(child, size).parent == rank);
      }
      EXPECT_LE(place.depth, 7u);
    }
    for (const int count : children) EXPECT_LE(count, 2);
  }
}

TEST(TreeUnify, HomogeneousSystemIsFourDefinitions) {
  const SystemTree tree = build_system_tree(homogeneous(128));
  ASSERT_EQ(tree.roots.size(), 1u);
  EXPECT_EQ(describe(tree.roots[0]), "machine: 16 x (node: 8 x (process: 4 x thread))");
  EXPECT_EQ(tree.process_units[0], 2u);
  EXPECT_EQ(tree.process_units[1], 7u);           // behind the four threads of the first
  EXPECT_EQ(tree.process_units[8], 1 + 41 + 1u);  // a node is itself, 8 processes and 32 threads
  expect_as_naive(homogeneous(128));
}

TEST(TreeUnify, TwoTypesOfNodes) {
  SystemFacts facts = homogeneous(96);
  facts.path_of = [](std::uint32_t rank) { return Path{{"machine", "m"}, {"node", std::to_string(rank / 4)}}; };
  facts.process_of = [](std::uint32_t rank) {
    if (rank < 48) return process_of(4);
    return Sequence{"process", 1, {{"thread", 2, {}}}};
  };
  EXPECT_EQ(describe(build_system_tree(facts).roots[0]),
            "machine: 12 x (node: 4 x (process: 4 x thread)) + 12 x (node: 4 x (process: 2 x thread))");
  expect_as_naive(facts);
}

TEST(TreeUnify, IrregularSystemsAndCollidingHashes) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const std::uint32_t ranks = 1 + random() % 200, nodes = 1 + random() % 20, kinds = 1 + random() % 3;
    std::vector<std::uint32_t> node(ranks), threads(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      node[r] = random() % nodes;
      threads[r] = 1 + random() % kinds;
    }
    SystemFacts facts;
    facts.ranks = ranks;
    // Some nodes hang under a rack, some under the machine; some processes are on no node.
    facts.path_of = [&](std::uint32_t rank) {
      const std::string name = "n" + std::to_string(node[rank]);
      if (node[rank] % 5 == 4) return Path{{"machine", "m"}};
      if (node[rank] % 2) return Path{{"machine", "m"}, {"rack", "r" + std::to_string(node[rank] / 4)}, {"node", name}};
      return Path{{"machine", "m"}, {"node", name}};
    };
    facts.process_of = [&](std::uint32_t rank) { return process_of(threads[rank]); };
    if (seed % 2) facts.hash = [](const std::string& name) { return hash_text(name) % 3; };
    expect_as_naive(facts);
  }
}

TEST(TreeUnify, MemoryOfAProcessDoesNotGrow) {
  const SystemTree few = build_system_tree(homogeneous(64)), many = build_system_tree(homogeneous(16384));
  EXPECT_LE(many.mean_bytes, few.mean_bytes);
  EXPECT_LE(many.most_bytes, few.most_bytes);
  EXPECT_LE(many.most_bytes, 1024u);
  EXPECT_LE(many.largest_message, few.largest_message + 8);
  EXPECT_LE(many.steps, few.steps + 2 * 8);  // 2^8 times as many ranks
}

TEST(TreeUnify, TablesAreUnifiedInTheOrderOfRanks) {
  for (const std::uint32_t size : {1u, 2u, 5u, 64u, 333u}) {
    std::mt19937 random(size);
    std::vector<std::vector<std::string>> own(size);
    std::vector<std::string> naive;
    for (auto& table : own) {
      for (int i = 0; i < 12; ++i)
        if (random() % 3) table.push_back("region " + std::to_string((random() % 2) * (random() % 40) * 100 + i));
      std::sort(table.begin(), table.end());
      table.erase(std::unique(table.begin(), table.end()), table.end());
      for (const std::string& entry : table)
        if (std::find(naive.begin(), naive.end(), entry) == naive.end()) naive.push_back(entry);
    }
    VirtualGroup group(size);
    std::vector<TableMember> members(size);
    std::vector<std::string> table;
    group.run_up([&](GroupTransport& transport, std::uint32_t r) { table = members[r].up(transport, own[r]); });
    EXPECT_EQ(table, naive);
    group.run_down([&](GroupTransport& transport, std::uint32_t r) {
      const std::vector<std::uint32_t> numbers = members[r].down(transport);
      ASSERT_EQ(numbers.size(), own[r].size());
      for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(naive[numbers[i]], own[r][i]);
    });
  }
}

TEST(Sequence, EncodedAndDecoded) {
  const std::vector<Sequence> kinds{{"machine", 1, {{"node", 16, {process_of(4)}}, {"node", 1, {}}}}, {"rack", 3, {}}};
  ByteWriter out;
  encode_sequences(out, kinds);
  ByteReader in(out.bytes());
  auto decoded = decode_sequences(in);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, kinds);
  for (std::size_t cut = 0; cut < out.bytes().size(); ++cut) {
    ByteReader part(out.bytes().data(), cut);
    EXPECT_FALSE(decode_sequences(part).ok());
  }
}

}  // namespace
}  // namespace tarry
