// pattern_events.hpp -- every single wait, delay and stretch of the critical path, as intervals on tracks.
#pragma once

#include <functional>
#include <vector>

#include "analysis/analysis.hpp"

namespace tarry {

using PatternNumber = StrongId<struct PatternNumberTag>;
using PatternTrackIndex = StrongId<struct PatternTrackTag>;

enum class PatternLayer : std::uint8_t { kWaits, kDelays, kCriticalPath };

/// "wait", "delay", "critical path"
const char* name_of(PatternLayer layer);

/// One occurrence of a pattern. Times are absolute ticks. All events of a metric together have its value.
struct PatternEvent {
  PatternLayer layer = PatternLayer::kWaits;
  Metric metric = Metric::kNone;
  LocationId location;  // where it is
  Ticks begin = 0, end = 0;
  double severity = 0;                 // in ticks: of a delay, what it costs others
  PathIndex path = kNoPath;            // a unified one: what waits, what costs most, where the critical path came to
  PatternTrackIndex track{};           // on which nothing overlaps but what is inside another
  PatternNumber delay{};               // of a wait: what caused it
  PatternNumber through{};             // and the wait of the one who was waited for, which passed it on
  std::uint32_t waits = 0;             // of a delay: how many it caused directly
  const char* edge = "";               // of the critical path: how it came here
  const WaitInstance* wait = nullptr;  // of a wait: what else is known
};

/// Where events are drawn. Most locations have one track of each layer. Where events overlap there are more.
struct PatternTrack {
  LocationId location;
  PatternLayer layer = PatternLayer::kWaits;
  std::uint32_t number = 0;             // of its location and layer
  std::vector<PatternNumber> events{};  // outer before inner, in order of time
};

struct PatternEvents {
  Indexed<PatternNumber, std::vector<PatternEvent>> all;           // in order of time
  Indexed<PatternTrackIndex, std::vector<PatternTrack>> tracks{};  // by location, layer and number

  /// `event` is one of `all`.
  PatternNumber number_of(const PatternEvent& event) const {
    return PatternNumber(static_cast<std::size_t>(&event - all.data()));
  }
};

/// What analyse() must be asked for. `most`: waits of each kind that are kept, the longest.
AnalysisOptions options_for_patterns(std::size_t most);

/// Lists what `keeps` says yes to: it knows all but track, delay and through. `analysis` must outlive the result.
PatternEvents list_patterns(const Trace& trace, const AnalysisResult& analysis,
                            const std::function<bool(const PatternEvent&)>& keeps);

/// The begins and ends of the events of a track in order of time: enter(event), leave(event, the one around it or
/// nullptr).
template <class Enter, class Leave>
void for_each_end(const PatternEvents& events, const PatternTrack& track, Enter enter, Leave leave) {
  std::vector<const PatternEvent*> open;
  const auto leave_last = [&] {
    const PatternEvent* const last = open.back();
    open.pop_back();
    leave(*last, open.empty() ? nullptr : open.back());
  };
  for (const PatternNumber number : track.events) {
    const PatternEvent& event = events.all[number];
    while (!open.empty() && open.back()->end <= event.begin) leave_last();
    open.push_back(&event);
    enter(event);
  }
  while (!open.empty()) leave_last();
}

}  // namespace tarry
