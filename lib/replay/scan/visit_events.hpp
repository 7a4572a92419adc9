// visit_events.hpp -- where a thread enters and leaves regions.
#pragma once

#include <span>
#include <vector>

#include "trace/record.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Calls visit(region, time, is_enter) for each Enter and Leave of a location. A Leave need not name its region: it is
/// that of the last Enter without one. Time: linear in events.
template <class Visit>
void for_each_visit_event(Source& source, LocationId location, Visit visit) {
  std::vector<RegionId> open;
  const auto reader = source.open(location);
  for (std::span<const Event> block = reader->next(); !block.empty(); block = reader->next())
    for (const Event& event : block) {
      if (event.kind == EventKind::kEnter) {
        open.push_back(record_of<record::Enter>(event).region);
        visit(open.back(), event.time, true);
      } else if (event.kind == EventKind::kLeave && !open.empty()) {
        visit(open.back(), event.time, false);
        open.pop_back();
      }
    }
}

}  // namespace tarry
