// gather_faults.cpp -- what all analysis processes found damaged.
#include "replay/gather_faults.hpp"

namespace tarry {
namespace {

constexpr std::size_t kFaults = static_cast<std::size_t>(Fault::kCount);

MessageBuffer packed(const FaultLog& faults) {
  MessageBuffer buffer;
  for (std::size_t k = 0; k < kFaults; ++k) buffer.put(faults.count(static_cast<Fault>(k)));
  for (const FaultLog::Place& place : faults.places()) {
    buffer.put(place.fault);
    buffer.put_text(place.location);
    buffer.put(place.position);
    buffer.put_text(place.detail);
  }
  return buffer;
}

// Only the first places are known: the first one of a kind carries the count of all.
void add_packed(MessageBuffer& buffer, FaultLog& faults) {
  std::vector<std::uint64_t> counts(kFaults);
  for (std::uint64_t& count : counts) count = buffer.get<std::uint64_t>();
  while (!buffer.is_read()) {
    const auto fault = buffer.get<Fault>();
    const std::string location = buffer.get_text();
    const auto position = buffer.get<std::uint64_t>();
    const std::string detail = buffer.get_text();
    std::uint64_t& count = counts[static_cast<std::size_t>(fault)];
    faults.add(fault, location, position, detail, count);
    count = 0;
  }
}

}  // namespace

void gather_faults(FaultLog& faults, Exchange& exchange) {
  if (exchange.size() == 1) return;
  std::vector<MessageBuffer> arrived = exchange.gather(exchange.rank() == 0 ? MessageBuffer() : packed(faults));
  for (std::size_t p = 1; p < arrived.size(); ++p) add_packed(arrived[p], faults);
}

}  // namespace tarry
