// counter_sums.hpp -- the values of a thread's counters, for each call path.
//
// What a counter has increased by goes to the path that was open meanwhile. Of levels, the highest value is kept. The
// sums lie behind the path (profile_slabs.hpp). Metrics of the program have room there, too, if there may be any: which
// ones they are is known when they have their first value.
// A ledger keeps the values of some (path_ledger.hpp).
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "archive/profile/profile_memory.hpp"
#include "defs/definitions.hpp"
#include "measure/core/path_ledger.hpp"

namespace tarry::measure {

/// Metrics that the program counts itself; more are refused.
inline constexpr std::size_t kMostUserMetrics = 32;

/// How a path's value of a counter comes from several ones. Of signed and floating-point levels 0 is no value.
enum class Combination : std::uint8_t { kAdd, kHighest, kAddDouble, kHighestSigned, kHighestDouble };
Combination combination_of(CounterType type, bool is_level);

class CounterSums {
 public:
  /// The counters, and which of them are levels. Before the first path.
  void use(std::span<const CounterId> ids, std::span<const bool> levels);

  /// Behind use(): counters of a ledger, which outlives this.
  void use_ledger(PathLedger& ledger, std::span<const CounterId> ids);

  /// Behind use(): room for the program's own.
  void use_user_metrics();

  /// Those without a number that is valid have no values yet.
  std::span<const CounterId> ids() const { return ids_; }

  /// Whether such a metric, by its number from 0 on, has the definition `id` from now on, and had none before. False
  /// where there is no room for it.
  bool define_user_metric(std::size_t number, CounterId id, Combination combination);
  bool has_user_metrics() const { return user_begin_ < ids_.size(); }
  std::size_t place_of_user_metric(std::size_t number) const { return user_begin_ + number; }

  /// A value of it. `open` is nullptr outside of all paths.
  void count_user_metric(PathNode* open, std::size_t number, std::uint64_t value) const;

  std::span<std::uint64_t> of(PathNode& path) const {
    return {reinterpret_cast<std::uint64_t*>(&path + 1), ids_.size()};
  }

  /// The values of a path as they are now.
  void read(PathNode& path, std::span<std::uint64_t> values) const;

  /// Values just before a region is entered or left. `open` is nullptr outside of all paths.
  void count(PathNode* open, std::span<const std::uint64_t> values);

  /// Levels just behind: they have been reached in the path that is open now, too.
  void raise(PathNode* open, std::span<const std::uint64_t> values) const;

  void add(PathNode& to, PathNode& from) const;
  void clear(PathNode& path) const;

 private:
  std::vector<CounterId> ids_;
  std::vector<Combination> combinations_;
  std::size_t user_begin_ = 0;          // the first of the program's own
  std::vector<std::uint64_t> counted_;  // their values when they were last counted
  PathLedger* ledger_ = nullptr;
  std::size_t ledger_begin_ = 0;  // its first counter
  std::size_t of_ledger_ = 0;     // counters
};

}  // namespace tarry::measure
