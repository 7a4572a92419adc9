// pattern_events.cpp -- every single wait, delay and stretch of the critical path, as intervals on tracks.
#include "analysis/patterns/pattern_events.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/timeline/choose_windows.hpp"
#include "analysis/timeline/window_events.hpp"
#include "base/arrays/flat_map.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

// Where a delay is, and which waits it costs.
struct DelayPlace {
  LocationId location;
  Metric metric;
  Ticks begin, end;

  bool operator==(const DelayPlace&) const = default;
  std::uint64_t hash() const {
    const std::uint64_t who = std::uint64_t{location.value} << 32 | static_cast<std::uint64_t>(metric);
    return mix_bits(who ^ mix_bits(static_cast<std::uint64_t>(begin) ^ mix_bits(static_cast<std::uint64_t>(end))));
  }
};

// Where a wait is: whose, in which operation, how long.
struct OperationWait {
  LocationId location;
  Ticks enter, wait;

  bool operator==(const OperationWait&) const = default;
  std::uint64_t hash() const {
    return mix_bits(location.value ^
                    mix_bits(static_cast<std::uint64_t>(enter) ^ mix_bits(static_cast<std::uint64_t>(wait))));
  }
};

// What overlaps, but for the outer one of two that nest, comes to different tracks.
class TrackFinder {
 public:
  // The number of the track, from 0.
  std::uint32_t place(Ticks begin, Ticks end) {
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (fits(open_[i], begin, end)) return add(i, end);
    open_.emplace_back();
    return add(open_.size() - 1, end);
  }

 private:
  using Ends = std::vector<Ticks>;  // of what is open, the innermost last

  static bool fits(Ends& open, Ticks begin, Ticks end) {
    while (!open.empty() && open.back() <= begin) open.pop_back();
    return open.empty() || open.back() >= end;
  }
  std::uint32_t add(std::size_t track, Ticks end) {
    open_[track].push_back(end);
    return static_cast<std::uint32_t>(track);
  }

  std::vector<Ends> open_;
};

class PatternList {
 public:
  PatternList(const Trace& trace, const AnalysisResult& analysis, const std::function<bool(const PatternEvent&)>& keeps)
      : trace_(trace), analysis_(analysis), keeps_(keeps) {}

  PatternEvents make() {
    for (const auto& [metric, kind] : analysis_.instances)
      for (const WaitInstance& wait : kind.worst) {
        add_wait(wait, metric);
        if (wait.part != Metric::kNone) add_wait(wait, wait.part);
      }
    for (const DelayEvent& delay : analysis_.delays) add_delay(delay);
    for (const PathStretch& stretch : analysis_.stretches) add_stretch(stretch);
    // Metrics are in the order of the report: a part of a wait comes behind it.
    std::ranges::sort(events_.all, {}, [](const PatternEvent& event) {
      return std::tuple(event.begin, event.location, event.layer, -event.end, report_position(event.metric), event.path,
                        -event.severity);
    });
    link();
    set_tracks();
    return std::move(events_);
  }

 private:
  void add(const PatternEvent& event) {
    if (keeps_(event)) events_.all.push_back(event);
  }

  void add_wait(const WaitInstance& wait, Metric metric) {
    add({.layer = PatternLayer::kWaits,
         .metric = metric,
         .location = trace_.location_of(wait.rank, wait.thread),
         .begin = wait.begin,
         .end = wait.begin + wait.full_wait,
         .severity = static_cast<double>(wait.wait),
         .path = wait.path,
         .wait = &wait});
  }

  void add_delay(const DelayEvent& delay) {
    add({.layer = PatternLayer::kDelays,
         .metric = delay.metric,
         .location = trace_.location_of(delay.rank, delay.thread),
         .begin = delay.begin,
         .end = delay.end,
         .severity = delay.cost,
         .path = delay.path,
         .waits = delay.waits});
  }

  void add_stretch(const PathStretch& stretch) {
    add({.layer = PatternLayer::kCriticalPath,
         .metric = Metric::kCriticalPath,
         .location = trace_.location_of(stretch.rank, stretch.thread),
         .begin = stretch.begin,
         .end = stretch.end,
         .severity = static_cast<double>(stretch.end - stretch.begin),
         .path = stretch.path,
         .edge = stretch.edge});
  }

  void link() {
    FlatMap<DelayPlace, PatternNumber> delays;
    FlatMap<OperationWait, PatternNumber> waits;
    for (const PatternNumber number : events_.all.ids()) {
      const PatternEvent& event = events_.all[number];
      if (event.layer == PatternLayer::kDelays)
        delays.insert({event.location, event.metric, event.begin, event.end}, number);
      else if (event.wait && is_whole_wait(event.metric))
        waits.insert({event.location, event.wait->enter, event.wait->full_wait}, number);
    }
    for (PatternEvent& event : events_.all) {
      if (!event.wait || !event.wait->why.is_known()) continue;
      const DelayOfWait& why = event.wait->why;
      const LocationId cause = trace_.location_of(event.wait->cause.rank, why.thread);
      const WaitInfo* const facts = wait_state(event.metric);
      // Others have only been passed on.
      const bool is_caused = why.delay > 0 || why.through_wait == 0;
      if (is_caused && is_whole_wait(event.metric) && facts->cost != WaitKind::kNone)
        event.delay = found(delays, {cause, cost_of(facts->cost).short_term, why.begin, why.end});
      if (why.through_wait > 0) event.through = found(waits, {cause, why.through_enter, why.through_wait});
    }
  }

  template <class Key>
  static PatternNumber found(const FlatMap<Key, PatternNumber>& in, const Key& key) {
    const PatternNumber* const number = in.find(key);
    return number ? *number : PatternNumber();
  }

  void set_tracks() {
    using Place = std::tuple<LocationId, PatternLayer, std::uint32_t>;
    std::map<std::pair<LocationId, PatternLayer>, TrackFinder> finders;
    std::map<Place, std::vector<PatternNumber>> tracks;
    for (const PatternNumber number : events_.all.ids()) {
      const PatternEvent& event = events_.all[number];
      const std::uint32_t track = finders[{event.location, event.layer}].place(event.begin, event.end);
      tracks[{event.location, event.layer, track}].push_back(number);
    }
    for (auto& [place, numbers] : tracks) {
      for (const PatternNumber number : numbers) events_.all[number].track = events_.tracks.next_id();
      const auto [location, layer, number] = place;
      events_.tracks.push_back({location, layer, number, std::move(numbers)});
    }
  }

  const Trace& trace_;
  const AnalysisResult& analysis_;
  const std::function<bool(const PatternEvent&)>& keeps_;
  PatternEvents events_;
};

}  // namespace

const char* name_of(PatternLayer layer) {
  switch (layer) {
    case PatternLayer::kWaits: return "wait";
    case PatternLayer::kDelays: return "delay";
    case PatternLayer::kCriticalPath: break;
  }
  return "critical path";
}

AnalysisOptions options_for_patterns(std::size_t most) {
  return {.instances = most,
          .wants_counters = false,
          .wants_messages = false,
          .wants_causes = false,
          .wants_stretches = true,
          .wants_delays = true};
}

PatternEvents list_patterns(const Trace& trace, const AnalysisResult& analysis,
                            const std::function<bool(const PatternEvent&)>& keeps) {
  return PatternList(trace, analysis, keeps).make();
}

}  // namespace tarry
