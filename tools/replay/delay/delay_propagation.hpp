// delay_propagation.hpp -- who pays for waits that were caused by waiting: costs travel backwards from wait to wait.
#pragma once

#include <array>
#include <vector>

#include "delay_instances.hpp"

namespace tarry {

/// Per kind of wait state: waiting time elsewhere, in ticks.
using CostByKind = std::array<double, kWaitKinds>;

/// The costs that every waiting sync point is responsible for elsewhere.
class WaitCosts {
 public:
  explicit WaitCosts(const std::vector<std::vector<SyncPoints>>& sync);

  CostByKind& of(std::uint32_t rank, std::uint16_t thread, SyncIndex point) {
    const Lane& lane = lanes_[rank][thread];
    return lane_costs_[lane.first + lane.ordinal[point]];
  }

 private:
  struct Lane {
    std::size_t first = 0;
    Rows<std::uint32_t> ordinal;  // per sync point: number among the waiting ones
  };
  std::vector<std::vector<Lane>> lanes_;
  Rows<CostByKind> lane_costs_;
};

/// Shares of one instance: what of each tick of its delay and of the cause's own waits it is charged with.
struct CostShares {
  double own = 0;         // for the wait itself
  CostByKind long_term{};  // for what the wait is responsible for
};

/// The shares of `instance`, `wait` of whose waiting time is to be explained, given the final costs of its wait.
CostShares shares_of(const DelayInstance& instance, Ticks wait, const CostByKind& waiter_costs, const Quirks& quirks);

/// Fills `costs` for all waits. Backwards along each thread, every cause after those who waited for it; in a trace
/// whose messages contradict one another the rest is taken in some fixed order.
/// Source: docs/METRICS.md, "Point-to-point costs"; Boehme, section 4.2.5.
void propagate_costs(const DelayContext& context, const std::vector<DelayInstances>& instances, WaitCosts& costs);

}  // namespace tarry
