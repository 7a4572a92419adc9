// unify_archive.cpp -- what unifying the definitions of a large archive costs, beside holding all of them in one
// process.
//
// usage: unify_archive [table [MOST_RANKS]]
//        unify_archive make KIND RANKS FOLDER
//        unify_archive seconds|megabytes|bytes-per-rank FOLDER [naive]
//
// An archive without events: each process with 60 regions, threads and communicators (world, self, row, column), 64
// processes on a node. KIND homogeneous: all alike, four threads; irregular: each process has a region of its own and
// one to four threads, and members of columns are in disorder. Prints what 'tarry unify' takes of it, or the naive way:
// all definitions in memory, one after the other. The table, as CSV: kind, ranks, seconds and peak memory (MB) on one
// processor, on all, of the naive way, bytes of definitions.tdef per rank, whether the naive way gives the same bytes.
// Exits with 1 if not.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "archive/archive.hpp"
#include "archive/reading/contents.hpp"
#include "archive/finishing/finish_archive.hpp"
#include "archive/files/names.hpp"
#include "archive/files/unified_file.hpp"
#include "defs/definition_codec.hpp"
#include "measured_child.hpp"

namespace {

using namespace tarry;

constexpr std::uint32_t kRanksPerNode = 64, kRegions = 60, kRow = 256;

Communicator comm_of(std::uint64_t uid, std::uint32_t rank, std::uint32_t size, CommId parent) {
  Communicator comm;
  comm.uid = uid;
  comm.rank = rank;
  comm.size = size;
  comm.parent = parent;
  return comm;
}

std::vector<std::uint8_t> definitions_of(std::uint32_t rank, std::uint32_t ranks, bool is_irregular) {
  ByteWriter out;
  const std::string node = "node" + std::to_string(rank / kRanksPerNode);
  encode_clock(out, {});
  encode_system_node(out, "machine", "machine", {});
  encode_system_node(out, node, "node", SystemNodeId(0));
  encode_process(out, "rank " + std::to_string(rank), {{}, rank, SystemNodeId(1), true});
  const std::uint32_t threads = is_irregular ? 1 + rank * 7919 % 4 : 4;
  for (std::uint32_t t = 0; t < threads; ++t)
    encode_location(out, t == 0 ? "master" : "thread " + std::to_string(t), {{}, ProcessId(0), t, 0});
  for (std::uint32_t r = 0; r < kRegions; ++r) {
    const bool is_own = is_irregular && r == rank % kRegions;
    const std::string name = "function_" + std::to_string(is_own ? rank % 1000 + kRegions : r);
    encode_region(out, {name, "", "solver.c", r, r + 10, Paradigm::kCompiler, RegionRole::kFunction});
  }
  const std::uint32_t row = rank / kRow, column = rank % kRow;
  encode_communicator(out, "MPI_COMM_WORLD", comm_of(Communicator::kWorldUid, rank, ranks, {}));
  encode_communicator(out, "MPI_COMM_SELF", comm_of(Communicator::kSelfUidBase + rank, 0, 1, {}));
  encode_communicator(out, "row", comm_of((std::uint64_t{row * kRow} << 32) + 1, column, kRow, CommId(0)));
  const std::uint32_t place = is_irregular ? (row * 7) % (ranks / kRow) : row;
  encode_communicator(out, "column", comm_of((std::uint64_t{column} << 32) + 2, place, ranks / kRow, CommId(0)));
  encode_property(out, kClockDomainKey, node);
  encode_property(out, kClockStartKey, "1000 1000 1700000000000000000");
  encode_property(out, kClockEndKey, "2000000 2000000 1700000000002000000");
  encode_property(out, "program", "solver");
  return std::move(out.bytes());
}

void write_archive(const std::string& folder, std::uint32_t ranks, const std::string& kind) {
  std::filesystem::remove_all(folder);
  require(create_archive(folder).ok(), "creating " + folder);
  for (std::uint32_t first = 0; first < ranks; first += kRanksPerNode) {
    auto container =
        ContainerWriter::open(folder + "/" + names::container("node" + std::to_string(first / kRanksPerNode)));
    require(container.ok(), "writing " + folder);
    std::vector<std::uint8_t> chunks;
    for (std::uint32_t rank = first; rank < first + kRanksPerNode; ++rank) {
      ChunkHeader header;
      header.kind = ChunkKind::kDefinitions;
      header.process = rank;
      header.flags = kLastChunk;
      const auto chunk = encode_chunk(header, definitions_of(rank, ranks, kind == "irregular"), 1);
      chunks.insert(chunks.end(), chunk.begin(), chunk.end());
    }
    require(container->append_encoded(chunks).ok(), "writing " + folder);
    require(seal_container(folder + "/" + names::container("node" + std::to_string(first / kRanksPerNode))).ok(),
            "sealing");
  }
}

void use_one_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(::sched_getcpu(), &set);
  require(::sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity");
}

void unify_archive(const std::string& folder) {
  std::filesystem::remove(folder + "/" + names::kDefinitions);
  const auto report = finish_archive(folder, {});
  require(report.ok() && report.value().wrote_definitions, "unify");
}

void unify_naively(const std::string& folder, const std::string& output) {
  FaultLog faults;
  const auto contents = ArchiveContents::open(folder, faults);
  require(contents.ok(), "reading " + folder);
  std::vector<Definitions> processes;
  for (const auto& [number, chunks] : contents.value().processes())
    processes.push_back(contents.value().load_definitions(number, faults));
  require(write_unified(output, unify(std::move(processes))).ok(), "writing " + output);
}

bool are_same(const std::string& one, const std::string& other) {
  const auto a = MappedFile::open(one), b = MappedFile::open(other);
  return a.ok() && b.ok() && std::ranges::equal(a.value().bytes(), b.value().bytes());
}

int print_table(std::uint64_t most) {
  const std::string folder = "unify-archive", naive_file = folder + ".naive.tdef";
  bool is_fine = true;
  std::puts("kind,ranks,one_s,one_mb,all_s,all_mb,naive_s,naive_mb,bytes_per_rank,naive");
  for (const char* kind : {"homogeneous", "irregular"})
    for (const std::uint32_t ranks : {1024u, 4096u, 16384u, 65536u}) {
      if (ranks > most) continue;
      write_archive(folder, ranks, kind);
      const Cost one = measure([&] {
        use_one_processor();
        unify_archive(folder);
      });
      const Cost all = measure([&] { unify_archive(folder); });
      const Cost naive = measure([&] { unify_naively(folder, naive_file); });
      const std::string definitions = folder + "/" + names::kDefinitions;
      const bool is_same = are_same(definitions, naive_file);
      is_fine = is_fine && is_same;
      std::printf("%s,%u,%.2f,%.0f,%.2f,%.0f,%.2f,%.0f,%.1f,%s\n", kind, ranks, one.seconds, one.megabytes, all.seconds,
                  all.megabytes, naive.seconds, naive.megabytes,
                  static_cast<double>(std::filesystem::file_size(definitions)) / ranks, is_same ? "same" : "differs");
      std::fflush(stdout);
    }
  std::filesystem::remove_all(folder);
  std::filesystem::remove(naive_file);
  return is_fine ? 0 : 1;
}

double figure_of(const std::string& what, const std::string& folder, bool is_naive) {
  const std::string definitions = folder + "/" + names::kDefinitions;
  const Cost cost = measure([&] { is_naive ? unify_naively(folder, definitions) : unify_archive(folder); });
  if (what == "seconds") return cost.seconds;
  if (what == "megabytes") return cost.megabytes;
  const auto unified = read_unified(definitions);
  require(unified.ok(), "reading " + definitions);
  return static_cast<double>(std::filesystem::file_size(definitions)) /
         static_cast<double>(unified.value().global.processes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "table";
  if (what == "table") return print_table(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 65536);
  if (what == "make" && argc == 5) {
    write_archive(argv[4], static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10)), argv[2]);
    return 0;
  }
  require(argc >= 3, "reading the command line");
  std::printf("%.2f\n", figure_of(what, argv[2], argc > 3));
  return 0;
}
