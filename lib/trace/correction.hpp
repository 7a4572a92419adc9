// correction.hpp -- the piecewise-linear maps from a process's own clock to the clock of the run.
#pragma once

#include <span>
#include <vector>

#include "base/units.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Maps local ticks to global ones through measured offsets: linear between two of them, the first and last piece
/// extended to both sides (docs/METRICS.md, "Timestamps"). With fewer than two offsets it is the identity.
class TimeMap {
 public:
  TimeMap() = default;
  explicit TimeMap(std::vector<ClockOffset> offsets);

  bool is_identity() const { return pieces_.empty(); }
  Ticks apply(Ticks local) const;

 private:
  struct Piece {
    Ticks at = 0;
    Ticks offset = 0;
    double slope = 0;  // of the offset, per local tick
  };
  std::vector<Piece> pieces_;
};

/// One map for each process of `definitions`.
std::vector<TimeMap> time_maps_of(const Definitions& definitions);

/// What `tarry sync` adds to the times of one clock: linear between knots, constant before the first and behind the last.
/// Never moves time backwards: of two ticks the later one stays the later or equal one.
class ShiftCurve {
 public:
  struct Knot {
    Ticks at = 0;     // on the clock of the run, as measured
    Ticks shift = 0;  // in the same ticks
    bool operator==(const Knot&) const = default;
  };

  ShiftCurve() = default;
  /// In order of time. Knots that would let time run backwards, or stand at the time of another one, are left out.
  explicit ShiftCurve(std::span<const Knot> knots);

  bool is_identity() const { return knots_.empty(); }
  Ticks apply(Ticks time) const;
  const std::vector<Knot>& knots() const { return knots_; }

 private:
  std::vector<Knot> knots_;
};

/// The corrections of a whole trace: a curve for each clock, and whose clock is which.
struct Corrections {
  static constexpr std::uint32_t kNoClock = 0xffffffffu;

  std::vector<ShiftCurve> curves;
  std::vector<std::uint32_t> clock_of;  // of each location: index into `curves`, or kNoClock: nothing is changed

  bool is_identity() const;
  const ShiftCurve& of(LocationId location) const;
};

/// From the ticks in the file of one location to the time that tools see.
struct LocationClock {
  const TimeMap* measured = nullptr;     // null: the identity
  const ShiftCurve* logical = nullptr;

  bool is_identity() const { return !measured && !logical; }
  Ticks apply(Ticks local) const {
    if (measured) local = measured->apply(local);
    return logical ? logical->apply(local) : local;
  }
};

}  // namespace tarry
