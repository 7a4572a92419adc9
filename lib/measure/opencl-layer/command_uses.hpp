// command_uses.hpp -- the memory that a command uses: of the device, and of the host.
//
// Calls: may block.
#pragma once

#include "measure/opencl-layer/memory_objects.hpp"

namespace tarry::measure {

/// Kernels with more arguments may use any memory.
inline constexpr std::size_t kMostArguments = 64;

/// A memory object in a command.
struct MemoryUse {
  MemoryObject* whole;
  bool is_written;
};

/// Addresses of the host's memory; none if `end` is not behind `begin`.
struct HostUse {
  std::uintptr_t begin = 0, end = 0;
  bool is_written = false;
};

/// What a command uses. Where that is not known, it may use all memory.
class CommandUses {
 public:
  HostUse host;

  bool are_known() const { return are_known_; }
  void set_unknown() { are_known_ = false; }

  void add(MemoryObject* memory, bool is_written) {
    if (!memory || count_ == kMostArguments) return set_unknown();
    memory_[count_++] = {memory->whole, is_written};
  }

  const MemoryUse* begin() const { return memory_; }
  const MemoryUse* end() const { return memory_ + count_; }

 private:
  bool are_known_ = true;
  std::size_t count_ = 0;
  MemoryUse memory_[kMostArguments];  // so many count
};

}  // namespace tarry::measure
