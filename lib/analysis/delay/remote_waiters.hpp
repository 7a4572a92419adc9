// remote_waiters.hpp -- time vectors of waiters that other analysis processes host.
#pragma once

#include <vector>

#include "analysis/delay/interval_times.hpp"
#include "analysis/delay/waiters.hpp"

namespace tarry {

/// For the causes hosted here.
class RemoteWaiters {
 public:
  /// Collective over the analysis processes.
  RemoteWaiters(const DelayContext& context, const WaitersByCause& waiters);

  /// nullptr if the waiter is hosted here.
  const PathTimes* find(const SyncRef& waiter) const { return are_there_ ? times_.find(waiter) : nullptr; }

 private:
  FlatMap<SyncRef, PathTimes> times_;
  bool are_there_ = false;  // most traces are analysed by one process
};

}  // namespace tarry
