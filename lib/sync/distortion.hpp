// distortion.hpp -- what corrections do to the events: how far they move, and how intervals between them change.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "replay/trace.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// Over all events, and all intervals between one event and the next of its location that have a length. Changes are
/// fractions of the interval: 0.01 means that it became one percent longer.
struct Distortion {
  std::uint64_t events = 0;
  std::uint64_t moved_events = 0;
  double moved_ticks = 0;  // sum
  Ticks largest_move = 0;
  std::uint64_t intervals = 0;
  double least_change = 0;
  double greatest_change = 0;
  double absolute_change = 0;  // sum
  double interval_ticks = 0;   // sum
  double changed_ticks = 0;    // sum of absolute differences

  double mean_move() const { return events ? moved_ticks / static_cast<double>(events) : 0; }
  /// Mean of the changes' absolute values.
  double mean_change() const { return intervals ? absolute_change / static_cast<double>(intervals) : 0; }
};

/// Reads all events once more from `source`, which must not apply corrections. Collective over the analysis processes;
/// all get the same.
Distortion measure_distortion(Trace& trace, Source& source, const Corrections& corrections);

/// The curves of all locations as CSV: rank, thread, seconds since the origin, shift in seconds; one line for each
/// knot.
std::string plot_of(const Definitions& definitions, const Corrections& corrections);

}  // namespace tarry
