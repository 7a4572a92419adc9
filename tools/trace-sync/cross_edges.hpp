// cross_edges.hpp -- the clock conditions between different clocks, as the logical clock works on them.
//
// A clock is one monotone scale, so of the causes of a condition only the latest on each clock counts, and of the
// effects only the earliest: an operation of a million processes on a thousand nodes has a thousand of each.
#pragma once

#include <cstdint>
#include <limits>

#include "base/rows.hpp"
#include "clocks.hpp"
#include "conditions.hpp"

namespace tarry {

/// Corrections are rounded to ticks in several places: with this much between cause and effect none passes the other.
inline constexpr Ticks kLeastLatency = 8;

inline constexpr Ticks kNoTime = std::numeric_limits<Ticks>::min();

/// What one clock has to do with a condition: measured times, and what the logical clock adds to them.
struct ClockSlot {
  Ticks cause = kNoTime;
  Ticks effect = kNoTime;
  Ticks cause_shift = 0;
  Ticks effect_shift = 0;
  std::uint32_t clock = 0;
  bool is_cause_known = false;  // has its logical time

  Ticks logical_cause() const { return cause + cause_shift; }
  Ticks logical_effect() const { return effect + effect_shift; }
};

/// No effect may be earlier than a cause on another clock.
struct Junction {
  std::uint64_t first_slot = 0;
  std::uint32_t slots = 0;
  std::uint32_t unknown_causes = 0;
  // Of the causes whose logical time is known:
  std::uint64_t latest_slot = 0;
  Ticks latest = kNoTime;
  Ticks latest_of_others = kNoTime;  // on other clocks than that one

  /// The latest cause that the effect in `slot` has to wait for.
  Ticks latest_for(std::uint64_t slot) const { return slot == latest_slot ? latest_of_others : latest; }
};

struct CrossEdges {
  Rows<Junction> junctions;
  Rows<ClockSlot> slots;
  Ticks latency = 1;  // the least time from a cause to an effect on another clock
};

/// The conditions of all analysis processes, at process 0; none elsewhere. Collective.
CrossEdges find_cross_edges(World& world, const Conditions& conditions, const Clocks& clocks);

/// Estimates the least latency between clocks: half of the shortest way from one clock to another and back, in which
/// their offset cancels out; the shortest of all pairs. 1 us where no pair of clocks has conditions in both directions;
/// at least kLeastLatency and at most 10 us, since where all receivers came late the shortest way is no latency. Time:
/// linear in slots, but for operations of more than 32 clocks, which are left out. The result does not depend on
/// `workers`.
Ticks estimate_latency(const CrossEdges& edges, double ticks_per_second, unsigned workers = 1);

}  // namespace tarry
