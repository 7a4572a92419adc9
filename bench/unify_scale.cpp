// unify_scale.cpp -- the system tree of up to two million ranks, built by the code that each of them would run.
//
// usage: unify_scale [MOST_RANKS]
//
// Prints CSV: kind of system, ranks, bytes of the definitions, bytes that a rank keeps (at most, mean), the largest
// message, messages one after the other, microseconds per rank (all ranks run here, one after the other), whether the
// naive way gives the same (up to 65,536 ranks). Kinds: "homogeneous" nodes of 64 ranks in racks; "two types" of nodes,
// half and half; "one odd" node in 100,000 ranks; "irregular": one to four threads at random. Exits with 1 if a result
// is not the naive one.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "base/text/text_hash.hpp"
#include "defs/system_tree.hpp"

namespace {

using namespace tarry;
using Path = std::vector<std::pair<std::string, std::string>>;

constexpr std::uint32_t kNaiveRanks = 65536;
constexpr std::uint32_t kRanksPerNode = 64, kNodesPerRack = 1024;

Sequence process_of(std::uint64_t threads) { return {"process", 1, {{"thread", threads, {}}}}; }

SystemFacts facts_of(const std::string& kind, std::uint32_t ranks) {
  SystemFacts facts;
  facts.ranks = ranks;
  facts.path_of = [](std::uint32_t rank) {
    const std::uint32_t node = rank / kRanksPerNode;
    return Path{
        {"machine", "m"}, {"rack", "r" + std::to_string(node / kNodesPerRack)}, {"node", "n" + std::to_string(node)}};
  };
  facts.process_of = [kind, ranks](std::uint32_t rank) {
    const std::uint32_t node = rank / kRanksPerNode;
    if (kind == "two types" && rank >= ranks / 2)
      return Sequence{"process", 1, {{"thread", 2, {}}, {"GPU context", 1, {}}}};
    if (kind == "one odd" && node % (100000 / kRanksPerNode) == 7) return process_of(3);
    if (kind == "irregular") return process_of(1 + (hash_text(std::to_string(rank)) >> 7) % 4);
    return process_of(4);
  };
  return facts;
}

// All units in memory, by names.
bool is_as_naive(const SystemFacts& facts, const SystemTree& tree) {
  struct Unit {
    Sequence sequence;
    std::vector<std::uint32_t> children;
    std::size_t kind = 0;
    std::uint32_t rank = 0xffffffffu;
  };
  std::vector<Unit> units(1);
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known;
  const auto add = [&](std::uint32_t parent, Sequence sequence) {
    units.emplace_back();
    units.back().sequence = std::move(sequence);
    units[parent].children.push_back(static_cast<std::uint32_t>(units.size() - 1));
    return static_cast<std::uint32_t>(units.size() - 1);
  };
  for (std::uint32_t rank = 0; rank < facts.ranks; ++rank) {
    std::uint32_t at = 0;
    for (const auto& [class_name, name] : facts.path_of(rank)) {
      const auto found = known.find({at, name});
      const std::uint32_t parent = at;
      at = found != known.end() ? found->second : known[{parent, name}] = add(parent, {class_name, 1, {}});
    }
    units[add(at, facts.process_of(rank))].rank = rank;
  }
  for (std::size_t u = units.size(); u-- > 0;)
    for (const std::uint32_t child : units[u].children)
      units[child].kind = add_kind(units[u].sequence.children, units[child].sequence);
  std::vector<std::uint64_t> numbers(facts.ranks);
  const std::function<void(std::uint32_t, std::uint64_t)> number = [&](std::uint32_t unit, std::uint64_t next) {
    for (std::size_t kind = 0; kind < units[unit].sequence.children.size(); ++kind)
      for (const std::uint32_t child : units[unit].children) {
        if (units[child].kind != kind) continue;
        if (units[child].rank < facts.ranks) numbers[units[child].rank] = next;
        if (!units[child].children.empty()) number(child, next + 1);
        next += units[child].sequence.units();
      }
  };
  number(0, 0);
  return units[0].sequence.children == tree.roots && numbers == tree.process_units;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1835008;
  bool is_fine = true;
  std::puts("kind,ranks,definition_bytes,most_bytes,mean_bytes,largest_message,steps,us_per_rank,naive");
  for (const char* kind : {"homogeneous", "two types", "one odd", "irregular"})
    for (const std::uint32_t ranks : {1024u, 4096u, 16384u, 65536u, 262144u, 1048576u, 1835008u}) {
      if (ranks > most) continue;
      const SystemFacts facts = facts_of(kind, ranks);
      const auto begin = std::chrono::steady_clock::now();
      const SystemTree tree = build_system_tree(facts);
      const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
      ByteWriter bytes;
      encode_sequences(bytes, tree.roots);
      const char* naive = ranks > kNaiveRanks ? "-" : is_as_naive(facts, tree) ? "same" : "differs";
      is_fine = is_fine && std::string(naive) != "differs";
      std::printf("%s,%u,%zu,%zu,%zu,%zu,%u,%.3f,%s\n", kind, ranks, bytes.bytes().size(), tree.most_bytes,
                  tree.mean_bytes, tree.largest_message, tree.steps, time.count() / ranks, naive);
      std::fflush(stdout);
    }
  return is_fine ? 0 : 1;
}
