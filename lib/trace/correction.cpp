// correction.cpp -- the piecewise-linear maps from a process's own clock to the clock of the run.
#include "trace/correction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tarry {

TimeMap::TimeMap(std::vector<ClockOffset> offsets) {
  std::stable_sort(offsets.begin(), offsets.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const double span = static_cast<double>(offsets[i + 1].at) - static_cast<double>(offsets[i].at);
    const double change = static_cast<double>(offsets[i + 1].offset) - static_cast<double>(offsets[i].offset);
    if (span > 0) pieces_.push_back({offsets[i].at, offsets[i].offset, change / span});
  }
}

Ticks TimeMap::apply(Ticks local) const {
  if (pieces_.empty()) return local;
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), local,
                                      [](Ticks time, const Piece& piece) { return time < piece.at; });
  const Piece& piece = *(after - 1);
  // Unsigned sums and a clamp: numbers from a damaged file must not overflow.
  const std::uint64_t since = static_cast<std::uint64_t>(local) - static_cast<std::uint64_t>(piece.at);
  const double drift = std::clamp(piece.slope * static_cast<double>(static_cast<Ticks>(since)), -9e18, 9e18);
  return static_cast<Ticks>(static_cast<std::uint64_t>(local) + static_cast<std::uint64_t>(piece.offset) +
                            static_cast<std::uint64_t>(nearest_tick(drift)));
}

std::vector<TimeMap> time_maps_of(const Definitions& definitions) {
  std::vector<std::vector<ClockOffset>> offsets(definitions.processes.size());
  for (const ClockOffset& offset : definitions.clock_offsets)
    if (offset.process.value < offsets.size()) offsets[offset.process.value].push_back(offset);
  std::vector<TimeMap> maps;
  for (auto& of_process : offsets) maps.emplace_back(std::move(of_process));
  return maps;
}

ShiftCurve::ShiftCurve(std::span<const Knot> knots) {
  constexpr Ticks kLargest = Ticks{1} << 61;  // sums of two do not overflow
  for (const Knot& knot : knots) {
    if (std::abs(knot.at) > kLargest || std::abs(knot.shift) > kLargest) continue;
    if (!knots_.empty() &&
        (knot.at <= knots_.back().at || knot.at + knot.shift < knots_.back().at + knots_.back().shift))
      continue;
    knots_.push_back(knot);
  }
}

Ticks ShiftCurve::apply(Ticks time) const { return ShiftCursor(*this).apply(time); }

void ShiftCursor::move_to(Ticks time) {
  const std::vector<ShiftCurve::Knot>& knots = curve_->knots();
  const bool is_next =
      place_ < knots.size() && knots[place_].at <= time && (place_ + 1 == knots.size() || time < knots[place_ + 1].at);
  if (is_next) {
    ++place_;
  } else {
    const auto behind = std::upper_bound(knots.begin(), knots.end(), time,
                                         [](Ticks value, const ShiftCurve::Knot& knot) { return value < knot.at; });
    place_ = static_cast<std::size_t>(behind - knots.begin());
  }
  const bool has_before = place_ > 0, has_after = place_ < knots.size();
  begin_ = has_before ? knots[place_ - 1].at : std::numeric_limits<Ticks>::min();
  end_ = has_after ? knots[place_].at : std::numeric_limits<Ticks>::max();
  shift_ = has_before ? knots[place_ - 1].shift : has_after ? knots[0].shift : 0;
  slope_ = 0;
  if (has_before && has_after)
    slope_ = static_cast<double>(knots[place_].shift - shift_) / static_cast<double>(end_ - begin_);
}

bool Corrections::is_identity() const {
  return std::all_of(curves.begin(), curves.end(), [](const ShiftCurve& curve) { return curve.is_identity(); });
}

const ShiftCurve& Corrections::of(LocationId location) const {
  static const ShiftCurve kIdentity;
  const std::uint32_t clock = location.value < clock_of.size() ? clock_of[location.value] : kNoClock;
  return clock < curves.size() ? curves[clock] : kIdentity;
}

}  // namespace tarry
