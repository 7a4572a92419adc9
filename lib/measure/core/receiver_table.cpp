// receiver_table.cpp -- a hash table of receivers, half full at most.
#include "measure/core/receiver_table.hpp"

#include <sys/mman.h>

#include "archive/profile_memory.hpp"
#include "base/flat_map.hpp"

namespace tarry::measure {

static constexpr std::size_t kSlots = 2 * kMostReceivers;
static_assert((kSlots & (kSlots - 1)) == 0);

// Where the receiver is, or the free slot where it belongs.
std::size_t ReceiverTable::place_of(std::uint32_t comm, std::uint32_t receiver) const {
  std::size_t at = mix_bits(std::uint64_t{comm} << 32 | receiver) & (kSlots - 1);
  while (slots_[at] && (slots_[at]->count.comm != comm || slots_[at]->count.receiver != receiver))
    at = (at + 1) & (kSlots - 1);
  return at;
}

bool ReceiverTable::add(ReceiverNode& node) {
  if (used_ == kMostReceivers) return false;
  if (!slots_) {
    void* memory = ::mmap(nullptr, kSlots * sizeof *slots_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    slots_ = static_cast<ReceiverNode**>(memory);
  }
  slots_[place_of(node.count.comm, node.count.receiver)] = &node;
  ++used_;
  return true;
}

}  // namespace tarry::measure
