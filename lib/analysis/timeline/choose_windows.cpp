// choose_windows.cpp -- of which parts of a run a timeline has single events.
#include "analysis/timeline/choose_windows.hpp"

#include <algorithm>

#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

constexpr Ticks kLongestReason = 20;  // times the wait: what came before tells little of it

// The wait, what it came from, and a quarter of that on both sides.
TimeRanges::Range range_around(const WaitInstance& wait) {
  TimeRanges::Range range{wait.begin, wait.begin + wait.full_wait};
  const Ticks length = range.end - range.begin;
  if (wait.why.is_known())
    range.begin = std::min(range.begin, std::max(wait.why.begin, range.begin - kLongestReason * length));
  const Ticks margin = std::max<Ticks>((range.end - range.begin) / 4, 1);
  return {range.begin - margin, range.end + margin};
}

bool is_in_windows(const WaitInstance& wait, const std::vector<EventWindow>& windows) {
  return std::ranges::any_of(windows, [&](const EventWindow& window) {
    return window.metric != Metric::kNone && window.begin <= wait.begin && wait.begin + wait.full_wait <= window.end;
  });
}

}  // namespace

bool is_whole_wait(Metric metric) {
  const WaitInfo* const facts = wait_state(metric);
  return facts && (facts->role == WaitRole::kWait || facts->role == WaitRole::kWorkToReference);
}

std::vector<EventWindow> choose_windows(const RunTimeline& timeline, const Instances& instances, std::uint64_t events,
                                        const RunTimelineOptions& options) {
  std::vector<EventWindow> windows;
  const auto add = [&](TimeRanges::Range range) -> EventWindow& {
    EventWindow& window = windows.emplace_back();
    window.begin = std::clamp(range.begin, timeline.begin, timeline.end);
    window.end = std::clamp(range.end, window.begin, timeline.end);
    return window;
  };
  for (const TimeRanges::Range& wanted : options.wanted) add(wanted);
  if (events <= options.whole_events) {
    add({timeline.begin, timeline.end}).is_whole = true;
    return windows;
  }
  for (const auto& [metric, kind] : instances) {
    if (!is_whole_wait(metric)) continue;
    std::uint32_t left = options.waits_of_kind;
    for (std::size_t i = 0; i < std::min<std::size_t>(kind.worst.size(), 16) && left > 0; ++i) {
      if (is_in_windows(kind.worst[i], windows)) continue;
      EventWindow& window = add(range_around(kind.worst[i]));
      window.metric = metric;
      window.about = kind.worst[i];
      --left;
    }
  }
  return windows;
}

}  // namespace tarry
