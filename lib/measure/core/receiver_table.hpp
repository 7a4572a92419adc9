// receiver_table.hpp -- finds the receivers that a thread has sent messages to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry {
struct ReceiverNode;
}

namespace tarry::measure {

/// Receivers by communicator and rank, kMostReceivers of them at most. Its memory comes from the kernel, so that no
/// allocator of the program is involved.
class ReceiverTable {
 public:
  /// nullptr if it has not been added.
  ReceiverNode* find(std::uint32_t comm, std::uint32_t receiver) const {
    return slots_ ? slots_[place_of(comm, receiver)] : nullptr;
  }

  /// Makes a receiver known. False if there are too many, or without memory: then it is not found.
  bool add(ReceiverNode& node);

 private:
  std::size_t place_of(std::uint32_t comm, std::uint32_t receiver) const;

  ReceiverNode** slots_ = nullptr;  // open addressing with linear probing; nullptr is free
  std::size_t used_ = 0;
};

}  // namespace tarry::measure
