// logical_clock.hpp -- the controlled logical clock: moves events forward until every cause precedes its effects.
#pragma once

#include <cstdint>
#include <vector>

#include "cross_edges.hpp"

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
  std::vector<std::vector<ClockPiece>> pieces;  // of each clock, in order of time
  std::uint64_t ignored = 0;  // effects that could not wait for their causes: events that depend on each other in a circle
};

/// Goes forward over all clocks at once: an effect waits until the logical times of its causes are known, and is moved
/// to the latest of them plus the latency if it is earlier. Leaves the shifts of causes and effects in the slots. The
/// result does not depend on the order of junctions. Time: n log n in the slots, most of it on `workers` threads.
LogicalTimes run_logical_clock(CrossEdges& edges, std::uint32_t clocks, double gamma, unsigned workers = 1);

}  // namespace tarry
