// correction.hpp -- the piecewise-linear map from a process's own clock to the clock of the run.
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

}  // namespace tarry
