// path_ledger.hpp -- values of call paths that change while other paths are open, or by other threads.
//
// A counter's value belongs to the path that is open when it is read. What a path has allocated may be freed anywhere.
// An adapter keeps such values in a ledger of its own, one for each thread. It is asked for them when the thread's
// summary is encoded. They are the last of the thread's counters (counter_sums.hpp).
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>

#include "archive/profile/profile_memory.hpp"

namespace tarry::measure {

/// Of one thread; made by the adapter that counts.
class PathLedger {
 public:
  PathLedger() = default;
  virtual ~PathLedger() = default;
  PathLedger(const PathLedger&) = delete;
  PathLedger& operator=(const PathLedger&) = delete;

  /// What `from` has is from now on a part of what `to` has.
  virtual void move(const PathNode& to, const PathNode& from) = 0;

  /// The path's values are of no interest: it is as if it had none.
  virtual void forget(const PathNode& path) = 0;

  /// The values of the path now.
  virtual void read(const PathNode& path, std::span<std::uint64_t> values) const = 0;
};

}  // namespace tarry::measure
