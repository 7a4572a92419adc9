// waiters.hpp -- who waited for each process.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "analysis/delay/delay_context.hpp"

namespace tarry {

/// A wait for a process, at one of its sync points.
struct Waiter {
  std::uint16_t cause_thread;
  SyncIndex cause_point;
  SyncRef ref;

  auto order() const {
    return std::tuple(std::uint64_t{cause_thread} << 32 | cause_point, std::uint64_t{ref.rank} << 16 | ref.thread,
                      ref.point);
  }
};

/// The waits in messages, collectives and one-sided communication, by the rank index of the cause; of each in order.
/// Time: linear in the waits, as those of one process come in order.
std::vector<Rows<Waiter>> waiters_by_cause(const DelayContext& context);

}  // namespace tarry
