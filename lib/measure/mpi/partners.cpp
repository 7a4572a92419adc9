// partners.cpp -- from whom a process receives in operations with a count for each pair.
#include "measure/mpi/partners.hpp"

#include <algorithm>

#include "measure/mpi/collective_bytes.hpp"

namespace tarry::measure {
namespace {

constexpr int kNoSelf = -1;

// `receives_from(partner)`; what a process sends to itself it need not wait for.
template <class ReceivesFrom>
void put_partners(MpiCall& call, int partners, int self, ReceivesFrom receives_from) {
  if (!call.thread().traces) return;
  bool is_anybody = false, is_everybody = true;
  for (int partner = 0; partner < partners; ++partner) {
    const bool receives = receives_from(partner);
    is_anybody |= receives;
    is_everybody &= receives || partner == self;
  }
  if (!is_anybody || is_everybody) return;
  for (int first = 0; first < partners; first += 64) {
    std::uint64_t mask = 0;
    for (int bit = 0; bit < std::min(64, partners - first); ++bit)
      mask |= static_cast<std::uint64_t>(receives_from(first + bit)) << bit;
    if (mask != 0) call.put(EventKind::kMpiCollectivePartners, static_cast<unsigned>(first), mask);
  }
}

void put_partners(MpiCall& call, int partners, int self, const int counts[], MPI_Datatype type) {
  if (bytes_of(1, type) > 0) put_partners(call, partners, self, [counts](int partner) { return counts[partner] > 0; });
}

void put_partners(MpiCall& call, int partners, int self, const int counts[], const MPI_Datatype types[]) {
  put_partners(call, partners, self, [=](int partner) { return bytes_of(counts[partner], types[partner]) > 0; });
}

int self_in(const CommInfo& comm) { return comm.is_inter ? kNoSelf : comm.rank; }

}  // namespace

void record_partners(MpiCall& call, const CommInfo& comm, const int counts[], MPI_Datatype type) {
  put_partners(call, comm.peers(), self_in(comm), counts, type);
}

void record_partners(MpiCall& call, const CommInfo& comm, const int counts[], const MPI_Datatype types[]) {
  put_partners(call, comm.peers(), self_in(comm), counts, types);
}

void record_neighbor_partners(MpiCall& call, MPI_Comm comm, const int counts[], MPI_Datatype type) {
  put_partners(call, source_count(comm), kNoSelf, counts, type);
}

void record_neighbor_partners(MpiCall& call, MPI_Comm comm, const int counts[], const MPI_Datatype types[]) {
  put_partners(call, source_count(comm), kNoSelf, counts, types);
}

}  // namespace tarry::measure
