// gather_faults.cpp -- what all analysis processes found damaged.
#include "gather_faults.hpp"

namespace tarry {
namespace {

constexpr std::size_t kFaults = static_cast<std::size_t>(Fault::kCount);

Parcel packed(const FaultLog& faults) {
  Parcel parcel;
  for (std::size_t k = 0; k < kFaults; ++k) parcel.put(faults.count(static_cast<Fault>(k)));
  for (const FaultLog::Place& place : faults.places()) {
    parcel.put(place.fault);
    parcel.put_text(place.location);
    parcel.put(place.position);
    parcel.put_text(place.detail);
  }
  return parcel;
}

// Only the first places are known: the first one of a kind carries the count of all.
void add_packed(Parcel& parcel, FaultLog& faults) {
  std::vector<std::uint64_t> counts(kFaults);
  for (std::uint64_t& count : counts) count = parcel.get<std::uint64_t>();
  while (!parcel.is_read()) {
    const auto fault = parcel.get<Fault>();
    const std::string location = parcel.get_text();
    const auto position = parcel.get<std::uint64_t>();
    const std::string detail = parcel.get_text();
    std::uint64_t& count = counts[static_cast<std::size_t>(fault)];
    faults.add(fault, location, position, detail, count);
    count = 0;
  }
}

}  // namespace

void gather_faults(FaultLog& faults, Exchange& exchange) {
  if (exchange.size() == 1) return;
  std::vector<Parcel> arrived = exchange.gather(exchange.rank() == 0 ? Parcel() : packed(faults));
  for (std::size_t p = 1; p < arrived.size(); ++p) add_packed(arrived[p], faults);
}

}  // namespace tarry
