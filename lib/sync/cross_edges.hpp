// cross_edges.hpp -- the clock conditions between different clocks, as the logical clock works on them.
//
// A clock is one monotone scale. So of the causes of a condition only the latest on each clock counts, and of the
// effects only the earliest. An operation of a million processes on a thousand nodes has a thousand of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "base/arrays/rows.hpp"
#include "sync/clocks.hpp"
#include "sync/conditions.hpp"

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
  ClockId clock;
  bool is_cause_known = false;  // has its logical time

  Ticks logical_cause() const { return cause + cause_shift; }
  Ticks logical_effect() const { return effect + effect_shift; }
};

/// Number of a link in CrossEdges::links.
using LinkIndex = StrongId<struct JunctionLinkTag>;

/// No effect may be earlier than a cause on another clock.
struct Junction {
  std::uint64_t first_slot = 0;
  std::uint32_t slots = 0;           // here
  std::uint32_t unknown_causes = 0;  // here and at other analysis processes
  LinkIndex links{};                 // the first; none: all slots are here
  // Of the causes whose logical time is known:
  ClockId latest_clock{};
  Ticks latest = kNoTime;
  Ticks latest_of_others = kNoTime;  // on other clocks than that one

  /// The latest cause that an effect on `clock` has to wait for.
  Ticks latest_for(ClockId clock) const { return clock == latest_clock ? latest_of_others : latest; }
};

/// A part of the same junction at another analysis process.
struct JunctionLink {
  std::uint64_t junction = 0;  // index into CrossEdges::junctions there
  std::uint32_t process = 0;
  bool has_causes = false;
  bool has_effects = false;
  bool is_last = false;  // of this junction
};

struct CrossEdges {
  CrossEdges() = default;
  explicit CrossEdges(MemoryBudget* budget) : junctions(budget), slots(budget), links(budget) {}

  Rows<Junction> junctions;
  Rows<ClockSlot> slots;
  Indexed<LinkIndex, Rows<JunctionLink>> links;
  Ticks latency = 1;  // the least time from a cause to an effect on another clock

  std::span<ClockSlot> slots_of(const Junction& junction) { return {&slots[junction.first_slot], junction.slots}; }
  std::span<const ClockSlot> slots_of(const Junction& junction) const {
    return {&slots[junction.first_slot], junction.slots};
  }

  /// Calls visit(link) for each other part of a junction.
  template <class Visit>
  void for_each_link(const Junction& junction, Visit visit) const {
    for (LinkIndex l = junction.links; links.has(l); ++l.value) {
      visit(links[l]);
      if (links[l].is_last) return;
    }
  }
};

/// Adds causes to those of `known`, a structure with latest, latest_of_others and latest_clock. They are on clocks of
/// their own: the latest one on `clock`, at `latest`; the latest on their other clocks at `latest_of_others`.
template <class Known>
void add_causes(Known& known, ClockId clock, Ticks latest, Ticks latest_of_others) {
  if (latest > known.latest) {
    known.latest_of_others = std::max(known.latest, latest_of_others);
    known.latest = latest;
    known.latest_clock = clock;
  } else {
    known.latest_of_others = std::max(known.latest_of_others, latest);
  }
}

/// The conditions that this analysis process found. Needs of other processes: nothing; the senders' records lie beside
/// the receives. Leaves CrossEdges::latency as it is.
CrossEdges find_cross_edges(Trace& trace, const Conditions& conditions, const Clocks& clocks);

/// Estimates the least latency between clocks: half of the shortest way from one clock to another and back. The offset
/// of the two cancels out there. The shortest way of all pairs counts. The result is 1 us where no pair of clocks has
/// conditions in both directions, and at least kLeastLatency. It is at most 10 us: where all receivers came late, the
/// shortest way is no latency.
///
/// Time: linear in slots, but for operations of more than 32 clocks, which are left out. The result does not depend on
/// `workers`, nor on which process holds which junction. Needs of other processes: the shortest way between each pair
/// of clocks. Collective; all get the same.
Ticks estimate_latency(const CrossEdges& edges, double ticks_per_second, Exchange& exchange, unsigned workers = 1);

}  // namespace tarry
