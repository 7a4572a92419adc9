// partners.cpp -- the sources of a process in operations with a count for each pair.
#include "measure/mpi/partners.hpp"

#include <algorithm>

namespace tarry::measure {
namespace {

constexpr int kNoSelf = -1;

bool receives_from(const Partners& all, int partner) {
  return all.types ? bytes_of(all.counts[partner], all.types[partner]) > 0 : all.counts[partner] > 0;
}

bool are_worth_a_record(const Partners& all) {
  if (!all.types && bytes_of(1, all.type) == 0) return false;
  bool is_anybody = false, is_everybody = true;
  for (int partner = 0; partner < all.members; ++partner) {
    const bool receives = receives_from(all, partner);
    is_anybody |= receives;
    is_everybody &= receives || partner == all.self;
  }
  return is_anybody && !is_everybody;
}

// `use(mask)` for each that is not empty.
template <class Use>
void for_each_mask(const Partners& all, Use use) {
  for (int first = 0; first < all.members; first += 64) {
    std::uint64_t mask = 0;
    for (int bit = 0; bit < std::min(64, all.members - first); ++bit)
      mask |= static_cast<std::uint64_t>(receives_from(all, first + bit)) << bit;
    if (mask != 0) use(PartnerMask{static_cast<std::uint32_t>(first), mask});
  }
}

void put(MpiCall& call, const PartnerMask& mask) {
  call.put(record::MpiCollectivePartners{.first = mask.first, .mask = mask.mask});
}

int self_in(const CommInfo& comm) { return comm.is_inter ? kNoSelf : comm.rank; }

}  // namespace

Partners partners_of(const CommInfo& comm, CountList counts, MPI_Datatype type) {
  return {comm.peers(), self_in(comm), counts, type, nullptr};
}

Partners partners_of(const CommInfo& comm, CountList counts, const MPI_Datatype types[]) {
  return {comm.peers(), self_in(comm), counts, {}, types};
}

Partners neighbor_partners_of(MPI_Comm comm, CountList counts, MPI_Datatype type) {
  return {source_count(comm), kNoSelf, counts, type, nullptr};
}

Partners neighbor_partners_of(MPI_Comm comm, CountList counts, const MPI_Datatype types[]) {
  return {source_count(comm), kNoSelf, counts, {}, types};
}

std::vector<PartnerMask> masks_of(const Partners& partners) {
  std::vector<PartnerMask> masks;
  if (are_worth_a_record(partners)) for_each_mask(partners, [&](const PartnerMask& mask) { masks.push_back(mask); });
  return masks;
}

void record_partners(MpiCall& call, const Partners& partners) {
  if (!call.thread().traces || !are_worth_a_record(partners)) return;
  for_each_mask(partners, [&](const PartnerMask& mask) { put(call, mask); });
}

void record_partners(MpiCall& call, const std::vector<PartnerMask>& masks) {
  for (const PartnerMask& mask : masks) put(call, mask);
}

}  // namespace tarry::measure
