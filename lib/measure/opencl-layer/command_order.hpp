// command_order.hpp -- what is known of the order that the commands of a queue need.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::measure {

/// It does not grow. Work is told by its number. Only a command that no other one of the queue overlaps writes copies.
struct CommandOrder {
  /// A command that copied from these addresses of the host, or to them.
  struct HostCopy {
    std::atomic<std::uintptr_t> begin = 0, end = 0;
    std::atomic<bool> is_written = false;
    std::atomic<std::uint64_t> work = 0;
  };

  std::atomic<bool> is_kept = false;       // the queue is in order
  std::atomic<std::uint32_t> inside = 0;   // calls that put a command into the queue now
  std::atomic<std::uint64_t> calls = 0;    // so far
  std::atomic<std::uint64_t> latest = 0;   // piece of work
  std::atomic<std::uint64_t> barrier = 0;  // the latest that whatever follows needs
  std::atomic<bool> is_barred = false;     // whatever follows needs the next one
  HostCopy copies[16];                     // of the host's memory: the latest
  std::atomic<std::uint32_t> next_copy = 0;
  std::atomic<std::uint64_t> older_copies = 0;  // the latest work among those before
};

}  // namespace tarry::measure
