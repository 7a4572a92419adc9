// part_selection.cpp -- finds the part of each thread's time that efficiencies are about.
#include "efficiency/part_selection.hpp"

#include <limits>
#include <utility>

#include "replay/scan/visit_events.hpp"

namespace tarry {
namespace {

constexpr TimeRanges::Range kAllTime{std::numeric_limits<Ticks>::min(), std::numeric_limits<Ticks>::max()};

TimeRanges within(const TimeRanges& ranges, TimeRanges::Range window) {
  std::vector<TimeRanges::Range> parts;
  ranges.for_each_part(window.begin, window.end, [&](Ticks begin, Ticks end) { parts.push_back({begin, end}); });
  return TimeRanges(std::move(parts));
}

}  // namespace

Result<PartSelection> PartSelection::create(Source& source, const RunPart& part) {
  PartSelection selection(source, part);
  if (part.iteration) {
    TARRY_TRY_ASSIGN(marks, IterationMarks::find(source.definitions(), part.region));
    selection.iterations_ = std::move(marks);
  } else if (!part.is_whole()) {
    TARRY_TRY_ASSIGN(visits, TimeSelection::create(source, {}, part.region));
    selection.visits_ = std::move(visits);
  }
  return selection;
}

// The first MPI_Init and the last MPI_Finalize. Where one is not recorded, nothing is cut off.
TimeRanges::Range PartSelection::between_init_and_finalize(LocationId master) const {
  TimeRanges::Range part = kAllTime;
  for_each_visit_event(source_, master, [&](RegionId region, Ticks time, bool is_enter) {
    if (!regions_.is_defined(region)) return;
    const CallClass call = regions_[region].call;
    if (call == CallClass::kInit && !is_enter && part.begin == kAllTime.begin) part.begin = time;
    if (call == CallClass::kFinalize && is_enter) part.end = time;
  });
  return part;
}

// An iteration inside an iteration is a part of it.
TimeRanges PartSelection::iteration(LocationId master) const {
  std::vector<TimeRanges::Range> ranges;
  std::size_t depth = 0;  // of iterations
  std::uint64_t visits = 0;
  bool is_wanted = false;
  for_each_visit_event(source_, master, [&](RegionId region, Ticks time, bool is_enter) {
    if (!iterations_.has(region)) return;
    if (!is_enter) {
      if (--depth == 0 && is_wanted) ranges.back().end = time;
    } else if (depth++ == 0) {
      const std::uint64_t ordinal =
          iterations_.is_numbered(region) ? iterations_.ordinal_of(region) : iterations_.ordinal_of_visit(visits++);
      is_wanted = iterations_.number_at(ordinal) == *part_.iteration;
      if (is_wanted) ranges.push_back({time, kAllTime.end});
    }
  });
  return TimeRanges(std::move(ranges));
}

std::vector<TimeRanges> PartSelection::of_process(std::span<const LocationId> locations) const {
  if (locations.empty()) return {};
  const TimeRanges::Range window = between_init_and_finalize(locations[0]);
  std::vector<TimeRanges> parts;
  if (part_.iteration) parts.assign(locations.size(), iteration(locations[0]));
  else if (part_.is_whole()) parts.assign(locations.size(), TimeRanges({window}));
  else parts = visits_.of_process(locations);
  for (TimeRanges& part : parts) part = within(part, window);
  return parts;
}

}  // namespace tarry
