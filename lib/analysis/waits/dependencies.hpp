// dependencies.hpp -- collectives in which not all wait for all: which members each one needs, and which it waits for.
//
//   member 0   S...............          needs 1 and 2, is needed by none
//   member 1        S..........
//   member 2                S..          member 0 waits for 2, the last it needs
//
// S: when a member has started its part. A member cannot have waited for one that started after it was done itself:
// such are passed over. Source: docs/METRICS.md, "Who needs whom".
#pragma once

#include <functional>
#include <vector>

#include "analysis/waits/pattern.hpp"

namespace tarry {

/// The waits of one operation, each for one other member.
class Dependencies {
 public:
  explicit Dependencies(const CollectiveOperation& instance)
      : instance_(instance), cause_(instance.size(), instance.size()) {}

  using Which = std::function<bool(std::size_t member)>;

  /// Each member of `waiting` needs all of `needed` (by position). Time: n log n.
  void add(const Which& waiting, const Which& needed);

  /// One member needs one other.
  void add(std::size_t waiting, std::size_t needed);

  /// Each member that takes part needs those that send of the positions up to its own.
  void add_prefix();

  /// Sets wait, cause and partners of all members.
  void settle() const;

 private:
  void note(std::size_t waiter, std::size_t needed);

  const CollectiveOperation& instance_;
  std::vector<std::size_t> cause_;  // by position: the one that it waits for; instance_.size(): none
};

}  // namespace tarry
