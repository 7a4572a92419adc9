// step_counters.hpp -- values of one thread that are read at every enter and leave.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>

#include "defs/definitions.hpp"

namespace tarry::measure {

/// Of one thread; made by the adapter that counts.
class StepCounters {
 public:
  virtual ~StepCounters() = default;
  StepCounters(const StepCounters&) = delete;
  StepCounters& operator=(const StepCounters&) = delete;

  /// Takes all values. Counters that cannot be read keep theirs. For the thread itself, `errno` untouched.
  virtual void read() = 0;

  /// What was read last, in the order of ids(): counted since the set was made, or a level.
  std::span<const std::uint64_t> values() const { return values_; }

  /// The counters as events of the process name them.
  std::span<const CounterId> ids() const { return ids_; }

  /// Whether a counter is a level, and not counted.
  std::span<const bool> levels() const { return levels_; }

 protected:
  StepCounters() = default;
  void publish(std::span<const CounterId> ids, std::span<const std::uint64_t> values, std::span<const bool> levels) {
    ids_ = ids;
    values_ = values;
    levels_ = levels;
  }

 private:
  std::span<const CounterId> ids_;
  std::span<const std::uint64_t> values_;
  std::span<const bool> levels_;
};

}  // namespace tarry::measure
