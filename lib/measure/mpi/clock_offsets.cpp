// clock_offsets.cpp -- the offsets between the clocks of different nodes.
//
// One process of each node plays ping-pong with that of another node. The other one reads its clock somewhere between
// our sending and our receiving, so of many round trips the shortest bounds the offset best. The nodes form a binomial
// tree. All of one level measure at the same time, and then the offsets are added up from process 0 on. Processes of a
// node share its result.
#include "measure/mpi/clock_offsets.hpp"

#include <cstdint>

#include "base/text/text_hash.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/world_comm.hpp"

namespace tarry::measure {
namespace {

constexpr int kRoundTrips = 64;
constexpr int kTag = 0;

struct Offset {
  std::int64_t at = 0;
  std::int64_t offset = 0;
};

// What a node tells those that have measured with it: its own offset to process 0, and both clocks' ticks per second.
struct Chain {
  Offset own;
  double own_rate = 0;
  double first_rate = 0;
};

// Which process measures for which; made at the first measurement and kept, since later ones happen inside the
// program's calls.
struct Nodes {
  bool are_known = false;
  bool are_several = false;
  MPI_Comm own{};      // the processes of this node
  MPI_Comm leaders{};  // one of each node; zero, as where there is one node, or MPI_COMM_NULL: not this one
  ClockReading found;  // when they were
};
Nodes g_nodes;

bool is_one_node(std::uint64_t node) {
  const std::uint64_t mine[2] = {node, ~node};
  std::uint64_t greatest[2];
  PMPI_Allreduce(mine, greatest, 2, MPI_UINT64_T, MPI_MAX, world_comm());
  return greatest[0] == ~greatest[1];
}

void find_nodes(const std::string& domain, int rank) {
  const std::uint64_t node = hash_text(domain);
  g_nodes.are_known = true;
  g_nodes.are_several = !is_one_node(node);
  if (!g_nodes.are_several) return;
  g_nodes.found = read_clocks();
  PMPI_Comm_split(world_comm(), static_cast<int>(node & 0x7fffffff), rank, &g_nodes.own);
  int rank_on_node = 0;
  PMPI_Comm_rank(g_nodes.own, &rank_on_node);
  PMPI_Comm_split(world_comm(), rank_on_node == 0 ? 0 : MPI_UNDEFINED, rank, &g_nodes.leaders);
}

void answer(MPI_Comm leaders, int partner) {
  for (int i = 0; i < kRoundTrips; ++i) {
    std::int64_t time;
    PMPI_Recv(nullptr, 0, MPI_BYTE, partner, kTag, leaders, MPI_STATUS_IGNORE);
    time = now();
    PMPI_Send(&time, 1, MPI_INT64_T, partner, kTag, leaders);
  }
}

Offset ask(MPI_Comm leaders, int partner) {
  Offset best;
  Ticks shortest = 0;
  for (int i = 0; i < kRoundTrips; ++i) {
    std::int64_t theirs;
    const Ticks before = now();
    PMPI_Send(nullptr, 0, MPI_BYTE, partner, kTag, leaders);
    PMPI_Recv(&theirs, 1, MPI_INT64_T, partner, kTag, leaders, MPI_STATUS_IGNORE);
    const Ticks after = now();
    if (i > 0 && after - before >= shortest) continue;
    shortest = after - before;
    best.at = before + (after - before) / 2;
    best.offset = theirs - best.at;
  }
  return best;
}

// From the partner's clock on to that of process 0. Since the partner measured, the two have gone apart if their
// counters have different rates. Rates count as equal if they differ less than two estimates of one rate do.
Offset extend(Offset to_partner, const Chain& partner) {
  constexpr double kEqualRates = 1e-3;
  const double difference = partner.first_rate - partner.own_rate;
  const double since = static_cast<double>(to_partner.at + to_partner.offset - partner.own.at) / partner.own_rate;
  to_partner.offset += partner.own.offset;
  if (difference > kEqualRates * partner.own_rate || difference < -kEqualRates * partner.own_rate)
    to_partner.offset += static_cast<std::int64_t>(since * difference);
  return to_partner;
}

// The offset to the first leader.
Offset measure_between(MPI_Comm leaders) {
  int rank = 0, size = 1, span = 1;
  PMPI_Comm_rank(leaders, &rank);
  PMPI_Comm_size(leaders, &size);
  Chain chain;
  chain.own_rate = chain.first_rate = ticks_per_second(g_nodes.found, read_clocks_at_end(g_nodes.found));
  for (; span < size && rank % (2 * span) == 0; span *= 2)
    if (rank + span < size) answer(leaders, rank + span);
  chain.own = {now(), 0};
  if (rank > 0) {
    const Offset to_partner = ask(leaders, rank - span);
    Chain partner;
    PMPI_Recv(&partner, static_cast<int>(sizeof partner), MPI_BYTE, rank - span, kTag, leaders, MPI_STATUS_IGNORE);
    chain.own = extend(to_partner, partner);
    chain.first_rate = partner.first_rate;
  }
  for (span /= 2; span > 0; span /= 2)
    if (rank + span < size) PMPI_Send(&chain, static_cast<int>(sizeof chain), MPI_BYTE, rank + span, kTag, leaders);
  return chain.own;
}

void measure() {
  Offset offset;
  if (g_nodes.leaders && g_nodes.leaders != MPI_COMM_NULL) offset = measure_between(g_nodes.leaders);
  PMPI_Bcast(&offset, 2, MPI_INT64_T, 0, g_nodes.own);
  definitions().add_clock_offset(offset.at, offset.offset);
}

// ---- now and then ---------------------------------------------------------------------------------------------------

// Process 0 decides, since all must measure at the same operation; it is asked only at every so many of them.
struct Schedule {
  double period_ns = 0;
  Ticks last_ns = 0;  // when clocks were compared; at process 0
  Ticks asked_ns = 0;
  std::int64_t every = 1;  // operations from one question to the next
  std::int64_t left = 1;   // until then
};
Schedule g_schedule;

}  // namespace

void measure_clock_offsets(const std::string& domain, int rank) {
  if (!g_nodes.are_known) find_nodes(domain, rank);
  if (g_nodes.are_several) measure();
}

void forget_clock_partners() {
  if (g_nodes.leaders && g_nodes.leaders != MPI_COMM_NULL) PMPI_Comm_free(&g_nodes.leaders);
  if (g_nodes.are_several) PMPI_Comm_free(&g_nodes.own);
  g_nodes = {};
}

void compare_clocks_every(double seconds) {
  if (seconds <= 0 || !g_nodes.are_several) return;
  g_schedule = {.period_ns = seconds * 1e9, .last_ns = monotonic_ns(), .asked_ns = monotonic_ns()};
  detail::g_compares_clocks = true;
}

// About sixteen questions a period: each is a broadcast of one number.
void detail::compare_now_and_then() {
  if (--g_schedule.left > 0) return;
  std::int64_t decision[2] = {0, 1};  // whether to measure; operations until the next question
  const Ticks time = monotonic_ns();
  const double since = static_cast<double>(time - g_schedule.asked_ns);
  decision[0] = static_cast<double>(time - g_schedule.last_ns) >= g_schedule.period_ns;
  decision[1] = g_schedule.every;
  if (since < g_schedule.period_ns / 16) decision[1] = 2 * g_schedule.every;
  if (since > g_schedule.period_ns / 4) decision[1] = (g_schedule.every + 1) / 2;
  PMPI_Bcast(decision, 2, MPI_INT64_T, 0, world_comm());
  g_schedule.asked_ns = time;
  g_schedule.every = g_schedule.left = decision[1];
  if (!decision[0]) return;
  measure();
  g_schedule.last_ns = monotonic_ns();
}

}  // namespace tarry::measure
