// patterns_to_otf2.cpp -- patterns as an OTF2 trace: a location for each track, a region for each pattern.
//
// What is known of an event are attributes of its ENTER.
#include <bit>
#include <map>

#include "archive/files/output_folder.hpp"
#include "base/bytes/varint.hpp"
#include "convert/patterns/track_definitions.hpp"
#include "trace/otf2/otf2_sink.hpp"
#include "trace/record.hpp"

namespace tarry {
namespace {

constexpr std::size_t kEventsAtOnce = 4096;

// Attributes of an ENTER, in the order of their numbers.
enum EnterFact : std::uint32_t {
  kNumberOf,
  kSeverityOf,
  kPathOf,
  kDelayingLocation,
  kDelayingPathOf,
  kDelayingOperation,
  kDelayOf,
  kThroughOf,
  kWaitsOf,
  kEdgeOf,
};

std::vector<Otf2Attribute> pattern_attributes() {
  return {{"number", "of the event among all, in order of time", OTF2_TYPE_UINT64},
          {"severity", "in seconds: how long the wait is, or what the delay costs others", OTF2_TYPE_DOUBLE},
          {"callpath", "what waits, what costs most, or where the critical path came to", OTF2_TYPE_STRING},
          {"delaying_location", "the thread that was waited for", OTF2_TYPE_LOCATION},
          {"delaying_callpath", "where that thread lost most time", OTF2_TYPE_STRING},
          {"delaying_operation", "what was waited for", OTF2_TYPE_STRING},
          {"delay", "number of the delay that caused the wait", OTF2_TYPE_UINT64},
          {"through", "number of the wait that passed this one on", OTF2_TYPE_UINT64},
          {"waits", "how many waits the delay caused directly", OTF2_TYPE_UINT64},
          {"edge", "how the critical path came here", OTF2_TYPE_STRING}};
}

// Regions and texts of all events.
class PatternStrings {
 public:
  PatternStrings(const AnalysedPatterns& patterns, Definitions& all) : regions_(kMetricCount) {
    const StringId group = all.strings.intern("PATTERN");
    for (const Metric metric : patterns.patterns()) {
      Region region;
      region.name = region.mangled_name = all.strings.intern(info_of(metric).unique_name);
      region.file = group;
      region.paradigm = Paradigm::kUser;
      region.role = RegionRole::kFunction;
      regions_[static_cast<std::size_t>(metric)] = RegionId(all.regions.size());
      all.regions.push_back(region);
    }
    for (PathIndex path = 0; path < patterns.path_count(); ++path)
      paths_.push_back(patterns.text_of(path).empty() ? StringId() : all.strings.intern(patterns.text_of(path)));
    for (const PatternEvent& event : patterns.events().all)
      if (*event.edge) edges_.try_emplace(event.edge, all.strings.intern(event.edge));
  }

  RegionId region_of(Metric metric) const { return regions_[static_cast<std::size_t>(metric)]; }
  StringId path(PathIndex path) const { return paths_[path]; }
  StringId edge(const char* edge) const { return edges_.at(edge); }

 private:
  std::vector<RegionId> regions_;  // by metric
  std::vector<StringId> paths_;
  std::map<std::string, StringId> edges_;
};

// The events of one track.
class PatternTrackWriter {
 public:
  PatternTrackWriter(const AnalysedPatterns& patterns, const TrackDefinitions& tracks, const PatternStrings& strings,
                     const Otf2Sink& sink)
      : patterns_(patterns), tracks_(tracks), strings_(strings), sink_(sink) {}

  Status write(const PatternTrack& track, Otf2LocationWriter& into) {
    Status outcome;
    const auto spill = [&](std::size_t most) {
      if (events_.size() < most || !outcome.ok()) return;
      outcome = into.append(events_, extras_);
      events_.clear();
      extras_.clear();
    };
    for_each_end(
        patterns_.events(), track,
        [&](const PatternEvent& event) {
          add_enter(event);
          spill(kEventsAtOnce);
        },
        [&](const PatternEvent& event, const PatternEvent*) {
          events_.push_back(event_of(event.end, record::Leave{.region = strings_.region_of(event.metric)}));
          spill(kEventsAtOnce);
        });
    spill(1);
    return outcome;
  }

 private:
  void add_enter(const PatternEvent& event) {
    count_ = 0;
    payload_.clear();
    add_facts(event);
    put(extras_.bytes, count_);
    extras_.bytes.insert(extras_.bytes.end(), payload_.begin(), payload_.end());
    extras_.close_item(events_.size(), event.begin, ExtraRole::kAttributes);
    events_.push_back(event_of(event.begin, record::Enter{.region = strings_.region_of(event.metric)}));
  }

  void add_facts(const PatternEvent& event) {
    add(kNumberOf, OTF2_TYPE_UINT64, patterns_.events().number_of(event).value);
    add(kSeverityOf, OTF2_TYPE_DOUBLE, std::bit_cast<std::uint64_t>(patterns_.seconds(event.severity)));
    add_path(kPathOf, event.path);
    if (const LocationId cause = patterns_.cause_of(event); cause.is_valid()) {
      add(kDelayingLocation, OTF2_TYPE_LOCATION, sink_.reference_of(tracks_.threads[cause.value]));
      add_path(kDelayingPathOf, event.wait->delay_path);
      add_path(kDelayingOperation, event.wait->cause.path);
    }
    if (event.delay.is_valid()) add(kDelayOf, OTF2_TYPE_UINT64, event.delay.value);
    if (event.through.is_valid()) add(kThroughOf, OTF2_TYPE_UINT64, event.through.value);
    if (event.waits > 0) add(kWaitsOf, OTF2_TYPE_UINT64, event.waits);
    if (*event.edge) add(kEdgeOf, OTF2_TYPE_STRING, strings_.edge(event.edge).value);
  }

  static void put(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
    std::uint8_t buffer[kMaxVarintBytes];
    bytes.insert(bytes.end(), buffer, encode_varint(buffer, value));
  }
  void add(EnterFact fact, OTF2_Type type, std::uint64_t bits) {
    ++count_;
    put(payload_, fact);
    put(payload_, type);
    put(payload_, bits);
  }
  void add_path(EnterFact fact, PathIndex path) {
    if (path != kNoPath) add(fact, OTF2_TYPE_STRING, strings_.path(path).value);
  }

  const AnalysedPatterns& patterns_;
  const TrackDefinitions& tracks_;
  const PatternStrings& strings_;
  const Otf2Sink& sink_;
  std::vector<Event> events_;
  RecordExtras extras_;
  std::uint64_t count_ = 0;            // of the attributes of an event,
  std::vector<std::uint8_t> payload_;  // and these
};

}  // namespace

Status write_patterns_as_otf2(Conversion& conversion, const AnalysedPatterns& patterns) {
  TARRY_TRY_ASSIGN(folder, OutputFolder::create(conversion.options.output));
  TrackDefinitions tracks = define_tracks(patterns);
  const PatternStrings strings(patterns, tracks.all);
  TARRY_TRY_ASSIGN(sink, Otf2Sink::create(folder.path(), tracks.all, nullptr));
  sink->define_attributes(pattern_attributes());
  for (std::size_t i = 0; i < tracks.all.locations.size(); ++i) {
    TARRY_TRY_ASSIGN(location, sink->open(LocationId(i)));
    PatternTrackWriter writer(patterns, tracks, strings, *sink);
    if (tracks.tracks[i].is_valid()) TARRY_TRY(writer.write(patterns.events().tracks[tracks.tracks[i]], *location));
    TARRY_TRY(location->close());
  }
  TARRY_TRY(sink->close());
  return folder.keep();
}

}  // namespace tarry
