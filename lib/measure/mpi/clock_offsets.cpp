// clock_offsets.cpp -- how the clocks of different nodes lie to each other.
//
// One process of each node plays ping-pong with process 0; of many round trips the shortest bounds the offset best:
// process 0 read its clock somewhere between our sending and our receiving. Processes of a node share its result.
#include "measure/mpi/clock_offsets.hpp"

#include <cstdint>

#include "measure/core/clock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {
namespace {

constexpr int kRoundTrips = 64;
constexpr int kTag = 0;

struct Offset {
  std::int64_t at = 0;
  std::int64_t offset = 0;
};

std::uint64_t hash(const std::string& text) {
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return sum;
}

bool is_one_node(std::uint64_t node) {
  const std::uint64_t mine[2] = {node, ~node};
  std::uint64_t greatest[2];
  PMPI_Allreduce(mine, greatest, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return greatest[0] == ~greatest[1];
}

void answer(MPI_Comm leaders, int partner) {
  for (int i = 0; i < kRoundTrips; ++i) {
    std::int64_t time;
    PMPI_Recv(nullptr, 0, MPI_BYTE, partner, kTag, leaders, MPI_STATUS_IGNORE);
    time = now();
    PMPI_Send(&time, 1, MPI_INT64_T, partner, kTag, leaders);
  }
}

Offset ask(MPI_Comm leaders) {
  Offset best;
  Ticks shortest = 0;
  for (int i = 0; i < kRoundTrips; ++i) {
    std::int64_t theirs;
    const Ticks before = now();
    PMPI_Send(nullptr, 0, MPI_BYTE, 0, kTag, leaders);
    PMPI_Recv(&theirs, 1, MPI_INT64_T, 0, kTag, leaders, MPI_STATUS_IGNORE);
    const Ticks after = now();
    if (i > 0 && after - before >= shortest) continue;
    shortest = after - before;
    best.at = before + (after - before) / 2;
    best.offset = theirs - best.at;
  }
  return best;
}

Offset measure_between(MPI_Comm leaders) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(leaders, &rank);
  PMPI_Comm_size(leaders, &size);
  if (rank > 0) return ask(leaders);
  for (int partner = 1; partner < size; ++partner) answer(leaders, partner);
  return {now(), 0};
}

}  // namespace

void measure_clock_offsets(const std::string& domain, int rank) {
  const std::uint64_t node_hash = hash(domain);
  if (is_one_node(node_hash)) return;
  MPI_Comm node = MPI_COMM_NULL, leaders = MPI_COMM_NULL;
  PMPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(node_hash & 0x7fffffff), rank, &node);
  int rank_on_node = 0;
  PMPI_Comm_rank(node, &rank_on_node);
  PMPI_Comm_split(MPI_COMM_WORLD, rank_on_node == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
  Offset offset;
  if (leaders != MPI_COMM_NULL) {
    offset = measure_between(leaders);
    PMPI_Comm_free(&leaders);
  }
  PMPI_Bcast(&offset, 2, MPI_INT64_T, 0, node);
  PMPI_Comm_free(&node);
  definitions().add_clock_offset(offset.at, offset.offset);
}

}  // namespace tarry::measure
