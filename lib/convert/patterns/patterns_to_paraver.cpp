// patterns_to_paraver.cpp -- patterns as a Paraver trace: a thread for each track, events at begins and ends.
//
// A communication goes from each delay to each wait that it caused.
#include <algorithm>
#include <cmath>
#include <map>

#include "convert/paraver/paraver_numbers.hpp"
#include "convert/paraver/paraver_records.hpp"
#include "convert/patterns/track_definitions.hpp"
#include "convert/text/text_pipeline.hpp"

namespace tarry {
namespace {

using namespace paraver;

std::uint32_t type_of(PatternLayer layer) {
  switch (layer) {
    case PatternLayer::kWaits: return kWaitState;
    case PatternLayer::kDelays: return kDelayCause;
    case PatternLayer::kCriticalPath: break;
  }
  return kCriticalPath;
}

State state_of_layer(PatternLayer layer) {
  switch (layer) {
    case PatternLayer::kWaits: return kWaitAll;
    case PatternLayer::kDelays: return kRunning;
    case PatternLayer::kCriticalPath: break;
  }
  return kOthers;
}

class PatternRecords {
 public:
  PatternRecords(const AnalysedPatterns& patterns, const TrackDefinitions& tracks, ParaverRecords& records)
      : patterns_(patterns), tracks_(tracks), records_(records) {}

  Status add_all() {
    const PatternEvents& events = patterns_.events();
    for (const PatternTrack& track : events.tracks) {
      for_each_end(
          events, track, [&](const PatternEvent& event) { enter(event); },
          [&](const PatternEvent& event, const PatternEvent* around) { leave(event, around); });
      TARRY_TRY(outcome_);
    }
    for (const PatternEvent& event : events.all)
      if (event.delay.is_valid()) add_link(events.all[event.delay], event);
    return outcome_;
  }

  std::string pcf() const {
    std::string pcf = paraver_states();
    for (const PatternLayer layer : {PatternLayer::kWaits, PatternLayer::kDelays, PatternLayer::kCriticalPath})
      append_paraver_type(pcf, type_of(layer), layer_titles_[static_cast<int>(layer)], names_of_patterns());
    append_paraver_type(pcf, kPatternSeverity, "Severity in nanoseconds", {});
    append_paraver_type(pcf, kPatternPath, "Call path", names_of_paths());
    append_paraver_type(pcf, kDelayingRank, "Rank that was waited for, and 1", {});
    append_paraver_type(pcf, kDelayingPath, "Call path of the one who was waited for", names_of_paths());
    return pcf;
  }

 private:
  static constexpr const char* layer_titles_[] = {"Wait state", "Causes the wait state", "Critical path"};

  std::map<std::uint32_t, std::string> names_of_patterns() const {
    std::map<std::uint32_t, std::string> names = {{0, "End"}};
    for (const Metric metric : patterns_.patterns())
      names[static_cast<std::uint32_t>(value_of(metric))] = info_of(metric).unique_name;
    return names;
  }
  std::map<std::uint32_t, std::string> names_of_paths() const {
    std::map<std::uint32_t, std::string> names;
    for (PathIndex path = 0; path < patterns_.path_count(); ++path)
      if (!patterns_.text_of(path).empty()) names[path + 1] = paraver_line(patterns_.text_of(path), "");
    return names;
  }

  // The same in all traces of one version.
  static std::int64_t value_of(Metric metric) { return static_cast<std::int64_t>(report_position(metric)) + 1; }
  std::uint32_t object_of(const PatternEvent& event) const { return tracks_.locations[event.track].value; }
  std::int64_t nanoseconds(double ticks) const { return std::llround(patterns_.seconds(ticks) * 1e9); }

  void put(const ParaverRecord& record) {
    if (outcome_.ok()) outcome_ = records_.add(record);
  }
  void put_event(std::int64_t when, std::uint32_t object, std::uint32_t type, std::int64_t value) {
    put({when, kEventRecord, object, 0, {type, value}});
  }

  void enter(const PatternEvent& event) {
    const std::int64_t when = records_.time(event.begin);
    const std::uint32_t object = object_of(event);
    put_event(when, object, type_of(event.layer), value_of(event.metric));
    put_event(when, object, kPatternSeverity, nanoseconds(event.severity));
    if (event.path != kNoPath) put_event(when, object, kPatternPath, std::int64_t{event.path} + 1);
    const LocationId cause = patterns_.cause_of(event);
    if (!cause.is_valid()) return;
    put_event(when, object, kDelayingRank, std::int64_t{patterns_.place_of(cause).rank} + 1);
    if (const PathIndex path = event.wait->delay_path; path != kNoPath)
      put_event(when, object, kDelayingPath, std::int64_t{path} + 1);
  }

  // What is around goes on.
  void leave(const PatternEvent& event, const PatternEvent* around) {
    const std::int64_t begin = records_.time(event.begin), end = records_.time(event.end);
    const std::uint32_t object = object_of(event);
    put_event(end, object, type_of(event.layer), around ? value_of(around->metric) : 0);
    if (!around && begin < end)
      put({begin, kStateRecord, object, 0, {end, static_cast<std::int64_t>(state_of_layer(event.layer))}});
  }

  // A line from where the one who was waited for came to the operation, to the end of the wait.
  void add_link(const PatternEvent& delay, const PatternEvent& wait) {
    const std::int64_t sent = records_.time(delay.end), posted = records_.time(wait.begin),
                       received = std::max(records_.time(wait.end), sent);
    put({sent,
         kCommRecord,
         object_of(delay),
         0,
         {sent, object_of(wait), std::min(posted, received), received, nanoseconds(wait.severity),
          value_of(wait.metric)}});
  }

  const AnalysedPatterns& patterns_;
  const TrackDefinitions& tracks_;
  ParaverRecords& records_;
  Status outcome_;
};

}  // namespace

Status write_patterns_as_paraver(Conversion& conversion, const AnalysedPatterns& patterns) {
  const TrackDefinitions tracks = define_tracks(patterns);
  ParaverRecords records(patterns.definitions().clock);
  PatternRecords maker(patterns, tracks, records);
  TARRY_TRY(maker.add_all());
  return records.write(conversion.options.output, tracks.all, maker.pcf(), tracks.labels);
}

}  // namespace tarry
