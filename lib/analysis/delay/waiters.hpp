// waiters.hpp -- who waited for each process.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "analysis/delay/delay_context.hpp"

namespace tarry {

/// A wait for a process, at one of its sync points.
struct Waiter {
  ThreadIndex cause_thread{};
  SyncIndex cause_point{};
  SyncRef ref;

  auto order() const {
    return std::tuple(std::uint64_t{cause_thread.value} << 32 | cause_point.value,
                      std::uint64_t{ref.rank.value} << 16 | ref.thread.value, ref.point);
  }
};

/// The waits for each process.
using WaitersByCause = Indexed<RankIndex, std::vector<Rows<Waiter>>>;

/// The waits in messages, collectives and one-sided communication; of each cause in order. Time: linear in the waits,
/// as those of one process come in order.
WaitersByCause waiters_by_cause(const DelayContext& context);

}  // namespace tarry
