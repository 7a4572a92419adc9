// correction.hpp -- the piecewise-linear maps from a process's own clock to the clock of the run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// The whole number nearest to `ticks`, halves away from zero. It must fit. std::llround also handles what does not,
/// but a call of it takes as long as all else that is done to the event.
inline Ticks nearest_tick(double ticks) { return static_cast<Ticks>(ticks + (ticks < 0 ? -0.5 : 0.5)); }

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

/// What `tarry sync` adds to the times of one clock: linear between knots, constant before the first and behind the
/// last. Never moves time backwards: of two ticks the later one stays the later or equal one.
class ShiftCurve {
 public:
  struct Knot {
    Ticks at = 0;     // on the clock of the run, as measured
    Ticks shift = 0;  // in the same ticks
    bool operator==(const Knot&) const = default;
  };

  ShiftCurve() = default;
  /// In order of time. Knots that would let time run backwards, or have the time of another one, are left out.
  explicit ShiftCurve(std::span<const Knot> knots);

  bool is_identity() const { return knots_.empty(); }
  Ticks apply(Ticks time) const;

  const std::vector<Knot>& knots() const { return knots_; }

 private:
  std::vector<Knot> knots_;
};

/// Applies a curve to times most of which follow each other: constant time while they lie between the same two knots.
class ShiftCursor {
 public:
  explicit ShiftCursor(const ShiftCurve& curve) : curve_(&curve) {}

  /// As ShiftCurve::apply().
  Ticks apply(Ticks time) {
    if (time < begin_ || time >= end_) move_to(time);
    const Ticks shift = slope_ == 0 ? shift_ : shift_ + nearest_tick(slope_ * static_cast<double>(time - begin_));
    return static_cast<Ticks>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(shift));
  }

 private:
  void move_to(Ticks time);

  const ShiftCurve* curve_;
  std::size_t place_ = 0;      // of the knot behind
  Ticks begin_ = 0, end_ = 0;  // of the piece; at first none
  Ticks shift_ = 0;            // at its begin
  double slope_ = 0;
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
  const TimeMap* measured = nullptr;  // null: the identity
  const ShiftCurve* logical = nullptr;

  bool is_identity() const { return !measured && !logical; }
  Ticks apply(Ticks local) const {
    if (measured) local = measured->apply(local);
    return logical ? logical->apply(local) : local;
  }
};

}  // namespace tarry
