// timeline.hpp -- all locations of a trace as one stream in order of time.
//
// The order is total: time, then location, then position within the location. Every LEAVE names its region. If there
// are more locations than may be open at a time, groups of them are merged into temporary files first. A last pass (or
// several) merges these.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/event.hpp"
#include "trace/source.hpp"

namespace tarry {

struct TimelineOptions {
  std::size_t open_streams = 256;  // at least 2
  std::string folder = {};         // of temporary files; empty: temporary_folder()
};

/// Some events in order, and the location of each.
struct TimelineBlock {
  std::vector<Event> events;
  std::vector<std::uint32_t> locations;

  bool empty() const { return events.empty(); }
};

/// A sorted stream of events, a block at a time.
class SortedStream {
 public:
  virtual ~SortedStream() = default;
  /// The next events; none at the end.
  virtual Status next(TimelineBlock& block) = 0;
};

class Timeline {
 public:
  /// `note_progress` hears of events whenever they have been read from the source.
  static Result<std::unique_ptr<SortedStream>> open(Source& source, const TimelineOptions& options,
                                                    const std::function<void(std::uint64_t)>& note_progress);
};

}  // namespace tarry
