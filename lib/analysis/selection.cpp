// selection.cpp -- what of a trace the user wants to see: some metrics, a window of time, the visits of some regions.
#include "analysis/selection.hpp"

#include <algorithm>
#include <cmath>

#include "base/tool/closest.hpp"
#include "base/text/glob.hpp"
#include "base/text/text.hpp"
#include "defs/clock_ticks.hpp"
#include "replay/scan/visit_events.hpp"

namespace tarry {
namespace {

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Metric metric : catalogue()) names.push_back(info_of(metric).unique_name);
  return names;
}

std::vector<TimeRanges::Range> inside(const TimeRanges& ranges, TimeRanges::Range window) {
  std::vector<TimeRanges::Range> parts;
  ranges.for_each_part(window.begin, window.end, [&](Ticks begin, Ticks end) { parts.push_back({begin, end}); });
  return parts;
}

}  // namespace

Result<MetricSelection> MetricSelection::parse(const std::string& list) {
  MetricSelection selection;
  selection.wanted_.resize(kMetricCount, false);
  for (const std::string& name : split_list(list)) {
    bool is_known = false;
    for (const Metric metric : catalogue()) {
      if (!is_named(info_of(metric).unique_name, name)) continue;
      is_known = true;
      for (Metric m = metric; m != Metric::kNone; m = info_of(m).parent)
        selection.wanted_[static_cast<std::size_t>(m)] = true;
    }
    if (!is_known)
      return Error{"'" + name + "'", "is no metric",
                   "did you mean " + closest_name(name, metric_names()) + "? --list-patterns lists all"};
  }
  return selection;
}

MetricSelection MetricSelection::of_trees(std::initializer_list<Metric> roots) {
  MetricSelection selection;
  selection.wanted_.resize(kMetricCount, false);
  for (const Metric metric : catalogue()) {
    Metric root = metric;
    while (info_of(root).parent != Metric::kNone) root = info_of(root).parent;
    selection.wanted_[static_cast<std::size_t>(metric)] = std::ranges::find(roots, root) != roots.end();
  }
  return selection;
}

std::uint8_t MetricSelection::needs() const {
  std::uint8_t needs = kNeedsNothing;
  for (const Metric metric : catalogue())
    if (is_wanted(metric)) needs |= info_of(metric).needs;
  return needs;
}

Result<TimeSelection> TimeSelection::create(Source& source, const TimeWindow& window, const std::string& phase) {
  TimeSelection selection;
  selection.source_ = &source;
  const Definitions& definitions = source.definitions();
  if (window.begin > 0) selection.window_.begin = to_ticks(definitions.clock, window.begin);
  if (std::isfinite(window.end)) selection.window_.end = to_ticks(definitions.clock, window.end);
  if (phase.empty()) return selection;
  selection.has_phase_ = true;
  std::vector<std::string> names;
  bool is_known = false;
  for (const Region& region : definitions.regions) {
    names.emplace_back(definitions.text(region.name));
    selection.is_phase_.push_back(is_named(names.back(), phase));
    is_known |= selection.is_phase_.back();
  }
  if (!is_known)
    return Error{"'" + phase + "'", "is no region of " + source.path(),
                 names.empty() ? "" : "the nearest is '" + closest_name(phase, names) + "'"};
  return selection;
}

// From the first Enter to the last Leave where visits lie in one another; those still open at the end last for ever.
std::vector<TimeRanges::Range> TimeSelection::visits(LocationId location) const {
  std::vector<TimeRanges::Range> ranges;
  std::size_t depth = 0;
  for_each_visit_event(*source_, location, [&](RegionId region, Ticks time, bool is_enter) {
    if (region.value >= is_phase_.size() || !is_phase_[region.value]) return;
    if (is_enter && depth++ == 0) ranges.push_back({time, kAlways.end});
    if (!is_enter && --depth == 0) ranges.back().end = time;
  });
  return ranges;
}

std::vector<TimeRanges> TimeSelection::of_process(std::span<const LocationId> locations) const {
  std::vector<TimeRanges> result;
  std::vector<TimeRanges::Range> of_master;
  for (std::size_t i = 0; i < locations.size(); ++i) {
    std::vector<TimeRanges::Range> ranges = has_phase_ ? visits(locations[i]) : std::vector{kAlways};
    if (i == 0) of_master = ranges;
    if (i > 0) ranges.insert(ranges.end(), of_master.begin(), of_master.end());
    result.emplace_back(inside(TimeRanges(std::move(ranges)), window_));
  }
  return result;
}

}  // namespace tarry
