// logical_clock.hpp -- the controlled logical clock: moves events forward until every cause precedes its effects.
//
// Each analysis process advances the clocks of its block. It needs of other processes: the logical times of causes on
// their clocks, for effects on its own ones. They arrive in rounds.
#pragma once

#include <cstdint>
#include <vector>

#include "sync/cross_edges.hpp"

namespace tarry {

/// Names and defaults of the two parameters of the method.
struct ClockControl {
  double gamma = 0.99999;  // how fast a moved clock runs until it is back at the measured time, per unit of time
  double ramp = 0.01;      // how much intervals before a jump may be stretched
};

/// From `at` on the clock is `shift` ahead of the measured time; the shift melts away at 1 - gamma.
struct ClockPiece {
  Ticks at = 0;
  Ticks shift = 0;
};

/// The shift that `piece` means for a later time.
Ticks shift_at(const ClockPiece& piece, Ticks time, double gamma);

/// What the forward pass found.
struct LogicalTimes {
  std::vector<std::vector<ClockPiece>> pieces;  // of each clock of the block, in order of time
  // Effects that could not wait for their causes: events that depend on each other in a circle. At all processes.
  std::uint64_t ignored = 0;
};

/// Goes forward over all clocks at once. An effect waits until the logical times of its causes are known. If it is
/// earlier than the latest of them plus the latency, it is moved there. Where all clocks wait for each other, the
/// earliest effect waits no longer. Leaves the shifts of causes and effects in the slots. `edges`: those of the clocks
/// in `block`, as deal_edges() gives them.
///
/// The result depends neither on the order of junctions nor on the number of processes and threads. Time: n log n in
/// the slots, most of it on `workers` threads. Rounds: as many as jumps follow from one another between processes; with
/// circles, as many as messages do. Collective.
LogicalTimes run_logical_clock(CrossEdges& edges, const ClockBlock& block, double gamma, Exchange& exchange,
                               unsigned workers = 1);

}  // namespace tarry
