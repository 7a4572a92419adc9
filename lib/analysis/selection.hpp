// selection.hpp -- what of a trace the user wants to see: some metrics, a window of time, the visits of some regions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "base/text/ranges.hpp"
#include "base/result.hpp"
#include "report/metrics/metrics.hpp"
#include "replay/scan/time_ranges.hpp"
#include "trace/source.hpp"

namespace tarry {

/// The metrics to compute and report (--patterns).
class MetricSelection {
 public:
  /// All.
  MetricSelection() = default;

  /// `list`: unique names, or shell patterns of them, separated by commas. Fails with the nearest name if there is no
  /// such metric.
  static Result<MetricSelection> parse(const std::string& list);

  /// Those of whole trees.
  static MetricSelection of_trees(std::initializer_list<Metric> roots);

  bool is_wanted(Metric metric) const { return wanted_.empty() || wanted_[static_cast<std::size_t>(metric)]; }
  /// What must be known of a trace to compute all that is wanted: bits of MetricNeeds.
  std::uint8_t needs() const;

 private:
  std::vector<bool> wanted_;  // empty: all; parents of wanted ones included
};

/// Finds the part of each thread's time that lies in a window and, if asked for, in visits of some regions. A worker
/// thread is in such a phase when it visits the region itself, and as long as its process's master does.
class TimeSelection {
 public:
  /// `phase`: a region name or shell pattern; empty: no phases. Fails if no region has such a name.
  static Result<TimeSelection> create(Source& source, const TimeWindow& window, const std::string& phase);

  /// Whether anything is left out.
  bool is_partial() const { return window_ != kAlways || has_phase_; }

  /// Of the threads of one process, master first. Reads their events if there is a phase: time linear in events.
  /// Thread-safe.
  std::vector<TimeRanges> of_process(std::span<const LocationId> locations) const;

 private:
  static constexpr TimeRanges::Range kAlways{std::numeric_limits<Ticks>::min(), std::numeric_limits<Ticks>::max()};

  std::vector<TimeRanges::Range> visits(LocationId location) const;

  Source* source_ = nullptr;
  TimeRanges::Range window_ = kAlways;
  bool has_phase_ = false;
  std::vector<bool> is_phase_;  // per region
};

}  // namespace tarry
