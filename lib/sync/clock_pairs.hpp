// clock_pairs.hpp -- numbers for pairs of clocks that have something to do with each other.
#pragma once

#include <cstdint>

#include "base/arrays/flat_map.hpp"
#include "sync/clocks.hpp"

namespace tarry {

using PairIndex = StrongId<struct ClockPairTag>;

/// Gives pairs numbers from 0 on, as they come. Many messages between the same two clocks follow each other: to ask for
/// the last pair again costs a comparison.
class ClockPairs {
 public:
  PairIndex number_of(ClockId first, ClockId second) {
    const std::uint64_t pair = key(first, second);
    if (pair != last_pair_) {
      last_pair_ = pair;
      last_ = numbers_.insert(pair, PairIndex(count_));
      if (last_.value == count_) ++count_;
    }
    return last_;
  }

  /// Null if there is none.
  const PairIndex* find(ClockId first, ClockId second) const { return numbers_.find(key(first, second)); }

  /// visit(first, second, number), in no order.
  template <class Visit>
  void for_each(Visit visit) const {
    numbers_.for_each(
        [&](std::uint64_t pair, PairIndex number) { visit(ClockId(pair >> 32), ClockId(pair & 0xffffffffu), number); });
  }

 private:
  static std::uint64_t key(ClockId first, ClockId second) { return (std::uint64_t{first.value} << 32) | second.value; }

  FlatMap<std::uint64_t, PairIndex> numbers_;
  std::uint32_t count_ = 0;
  std::uint64_t last_pair_ = ~std::uint64_t{0};  // the one that was asked for last, and its number
  PairIndex last_;
};

}  // namespace tarry
