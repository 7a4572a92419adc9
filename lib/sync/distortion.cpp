// distortion.cpp -- what corrections do to the events.
#include "sync/distortion.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/csv.hpp"

namespace tarry {
namespace {

void add_distortion(Distortion& sum, const Distortion& part) {
  sum.events += part.events;
  sum.moved_events += part.moved_events;
  sum.moved_ticks += part.moved_ticks;
  sum.largest_move = std::max(sum.largest_move, part.largest_move);
  sum.intervals += part.intervals;
  sum.least_change = std::min(sum.least_change, part.least_change);
  sum.greatest_change = std::max(sum.greatest_change, part.greatest_change);
  sum.absolute_change += part.absolute_change;
  sum.interval_ticks += part.interval_ticks;
  sum.changed_ticks += part.changed_ticks;
}

void add_interval(Distortion& sum, Ticks before, Ticks after) {
  ++sum.intervals;
  // Most intervals keep their length.
  const double change = after == before ? 0 : static_cast<double>(after - before) / static_cast<double>(before);
  sum.least_change = std::min(sum.least_change, change);
  sum.greatest_change = std::max(sum.greatest_change, change);
  sum.absolute_change += std::abs(change);
  sum.interval_ticks += static_cast<double>(before);
  sum.changed_ticks += std::abs(static_cast<double>(after - before));
}

Distortion of_location(Source& source, LocationId location, const ShiftCurve& curve) {
  Distortion sum;
  Ticks last = 0, last_moved = 0;
  ShiftCursor cursor(curve);
  const auto reader = source.open(location);
  for (auto block = reader->next(); !block.empty(); block = reader->next())
    for (const Event& event : block) {
      const Ticks moved = cursor.apply(event.time), move = std::abs(moved - event.time);
      sum.moved_events += move > 0;
      sum.moved_ticks += static_cast<double>(move);
      sum.largest_move = std::max(sum.largest_move, move);
      if (sum.events++ > 0 && event.time > last) add_interval(sum, event.time - last, moved - last_moved);
      last = event.time;
      last_moved = moved;
    }
  return sum;
}

// A curve is for plots: what clocks resolve is enough.
std::string rounded(double number, std::chars_format format, int precision) {
  char text[400];
  return {text, std::to_chars(text, std::end(text), number, format, precision).ptr};
}

}  // namespace

Distortion measure_distortion(Trace& trace, Source& source, const Corrections& corrections) {
  Indexed<RankIndex, std::vector<Distortion>> of_rank(trace.ranks().size());
  trace.for_each_hosted([&](RankIndex r) {
    for (const LocationId location : trace.locations_of(r))
      add_distortion(of_rank[r], of_location(source, location, corrections.of(location)));
  });
  // In the order of ranks, so that sums do not depend on the number of processes.
  Exchange& exchange = trace.exchange();
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(exchange.size()));
  for (MessageBuffer& buffer : buffers)
    for (const RankIndex r : of_rank.ids())
      if (trace.is_hosted(r)) buffer.put(of_rank[r]);
  Distortion all;
  for (MessageBuffer& buffer : exchange.all_to_all(std::move(buffers)))
    while (!buffer.is_read()) add_distortion(all, buffer.get<Distortion>());
  return all;
}

std::string plot_of(const Definitions& definitions, const Corrections& corrections) {
  CsvWriter csv("rank,thread,seconds,shift");
  const Clock& clock = definitions.clock;
  for (std::uint32_t l = 0; l < definitions.locations.size(); ++l) {
    const Location& location = definitions.locations[l];
    for (const ShiftCurve::Knot& knot : corrections.of(LocationId(l)).knots()) {
      csv.add(definitions.processes[location.process.value].rank).add(location.thread);
      csv.add(
          rounded(static_cast<double>(knot.at - clock.origin) / clock.ticks_per_second, std::chars_format::fixed, 9));
      csv.add(rounded(static_cast<double>(knot.shift) / clock.ticks_per_second, std::chars_format::general, 12));
      csv.end_row();
    }
  }
  return csv.take();
}

}  // namespace tarry
