// collate_rows.cpp -- what writing the summary of many threads costs, by blocks of rows and with everything in memory.
//
// usage: collate_rows [MOST_RANKS]
//        collate_rows seconds|megabytes RANKS blocks|memory
//
// Four threads for each rank, each with the same hundred call paths. The table, as CSV: ranks, seconds and peak memory
// (MB) by blocks of 64 MB, with everything in memory, whether both files are the same. Exits with 1 if not.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/files/file.hpp"
#include "measured_child.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "summary/collate_summary.hpp"

namespace {

using namespace tarry;

constexpr std::uint32_t kThreads = 4, kPaths = 100;

Definitions definitions_of(std::uint32_t ranks) {
  Definitions all;
  const auto text = [&](const std::string& string) { return all.strings.intern(string); };
  for (std::uint32_t r = 0; r < kPaths; ++r) {
    const StringId name = text("function_" + std::to_string(r));
    all.regions.push_back({name, name, text("solver.c"), r, r, Paradigm::kCompiler, RegionRole::kFunction});
  }
  all.system_nodes = {{text("machine"), text("machine"), {}}, {text("node"), text("node"), SystemNodeId(0)}};
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    all.processes.push_back({text("rank " + std::to_string(rank)), rank, SystemNodeId(1), true});
    for (std::uint32_t t = 0; t < kThreads; ++t)
      all.locations.push_back({text("thread " + std::to_string(t)), ProcessId(rank), t, 0});
  }
  return all;
}

void fill_profile(std::uint32_t location, ThreadProfile& profile) {
  profile.location = LocationId(location);
  profile.nodes.resize(kPaths);
  for (std::uint32_t p = 0; p < kPaths; ++p) {
    ProfileNode& node = profile.nodes[p];
    node.parent = p == 0 ? ProfileNode::kNoParent : (p - 1) / 3;
    node.region = p;
    node.visits = 1 + (location + p) % 7;
    node.time = 1000 * (kPaths - p) + location % 97;
    node.min_time = 10;
    node.max_time = node.time;
    node.transfers[Transfer::kBytesSent] = p % 2 * location;
    node.trace_events = 2 * node.visits;
  }
}

void write_by_blocks(std::uint32_t ranks, const std::string& file) {
  const Definitions all = definitions_of(ranks);
  const SummaryCube cube(all, [&](const auto& visit) {
    ThreadProfile profile;
    for (std::uint32_t i = 0; i < all.locations.size(); ++i) {
      fill_profile(i, profile);
      visit(profile);
    }
  });
  require(write_cubex(cube, file).ok(), "writing " + file);
}

void write_from_memory(std::uint32_t ranks, const std::string& file) {
  const Definitions all = definitions_of(ranks);
  std::vector<ThreadProfile> profiles(all.locations.size());
  for (std::uint32_t i = 0; i < profiles.size(); ++i) fill_profile(i, profiles[i]);
  require(write_cubex(collate_summary(all, profiles), file).ok(), "writing " + file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    const bool is_blocks = std::string(argv[3]) == "blocks";
    const auto write = is_blocks ? write_by_blocks : write_from_memory;
    const auto ranks = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
    const Cost cost = measure([&] { write(ranks, "rows.cubex"); });
    std::printf("%.2f\n", std::string(argv[1]) == "seconds" ? cost.seconds : cost.megabytes);
    return 0;
  }
  const std::uint64_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 65536;
  bool is_fine = true;
  std::puts("ranks,blocks_s,blocks_mb,memory_s,memory_mb,files");
  for (const std::uint32_t ranks : {1024u, 4096u, 16384u, 65536u}) {
    if (ranks > most) continue;
    const Cost blocks = measure([&] { write_by_blocks(ranks, "blocks.cubex"); });
    const Cost memory = measure([&] { write_from_memory(ranks, "memory.cubex"); });
    const auto one = MappedFile::open("blocks.cubex"), other = MappedFile::open("memory.cubex");
    const bool is_same = one.ok() && other.ok() && std::ranges::equal(one.value().bytes(), other.value().bytes());
    is_fine = is_fine && is_same;
    std::printf("%u,%.2f,%.0f,%.2f,%.0f,%s\n", ranks, blocks.seconds, blocks.megabytes, memory.seconds,
                memory.megabytes, is_same ? "same" : "differ");
    std::fflush(stdout);
  }
  for (const char* file : {"blocks.cubex", "memory.cubex"}) ::unlink(file);
  return is_fine ? 0 : 1;
}
