// overheads.hpp -- divides the allocation time of a report into computation and the overheads that SCALEA knows.
//
// Source: H.-L. Truong, T. Fahringer, SCALEA: A Performance Analysis Tool for Distributed and Parallel Programs
// (Euro-Par 2002), section 3; docs/METRICS.md, "Overheads".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "findings/overheads/overhead_classes.hpp"
#include "findings/overheads/time_grid.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Seconds by class. Only leaves have values until sum_up() was called.
class OverheadTimes {
 public:
  Seconds& operator[](Overhead overhead) { return seconds_[static_cast<std::size_t>(overhead)]; }
  Seconds operator[](Overhead overhead) const { return seconds_[static_cast<std::size_t>(overhead)]; }

  /// Sets every class with parts to their sum.
  void sum_up();
  /// All classes together.
  Seconds whole() const;

 private:
  std::array<Seconds, kOverheadCount> seconds_{};
};

/// A function or region of the program: what it does itself, with the operations and idle threads in it. Functions that
/// it calls are not part of it.
struct RegionOverheads {
  std::string name;
  std::uint32_t region = 0;  // one of those of this name
  bool is_root = false;      // the program itself
  OverheadTimes times;
  // Of its computation, for comparing with a reference run:
  Seconds least_of_locations = 0, least_of_processes = 0;
};

/// A class at a call path.
struct OverheadPlace {
  CallPathId call_path;
  Overhead overhead = Overhead::kNone;
  Seconds seconds = 0;
  std::size_t region = 0;  // which of `Overheads::regions` it is part of
};

/// Events of a class that a counter has counted.
struct OverheadEvents {
  Overhead overhead = Overhead::kNone;
  std::string counter;
  double count = 0;
};

struct Overheads {
  Seconds allocation = 0;  // of what is selected
  Seconds wall = 0;        // longest of all locations, of what is selected
  std::size_t locations = 0, processes = 0;
  bool has_wait_states = false;  // else waits are part of the operations that they are in
  OverheadTimes all;
  std::vector<RegionOverheads> regions;  // by time
  std::vector<OverheadPlace> places;     // by time; leaves that are not 0
  std::vector<OverheadEvents> events;
};

/// What an event of a counter costs.
struct EventCost {
  std::string counter;
  Seconds seconds = 0;
};

struct OverheadQuery {
  std::string region;  // only call paths of regions of this name, and below; may be a shell pattern. Empty: all
  std::vector<EventCost> costs;
};

/// The grid for the times of a report, or of several that are compared. Fails if a report has no metric `time`, or a
/// time that is no number.
Result<TimeGrid> time_grid_of(const std::vector<const Report*>& reports);

/// Fails if the report has no such region, or does not hold a counter that has a cost.
Result<Overheads> find_overheads(const Report& report, const OverheadQuery& query, const TimeGrid& grid);

}  // namespace tarry
