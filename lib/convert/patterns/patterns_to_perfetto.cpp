// patterns_to_perfetto.cpp -- patterns for ui.perfetto.dev: slices on tracks of their processes, flows from a delay to
// the waits that it caused.
//
// All texts are interned at the beginning: a slice has their numbers.
#include <algorithm>
#include <vector>

#include "base/text/utf8.hpp"
#include "convert/patterns/analysed_patterns.hpp"
#include "convert/perfetto/perfetto_packets.hpp"
#include "convert/text/text_pipeline.hpp"

namespace tarry {
namespace {

using namespace perfetto;

// What slices tell beside their names, in the order of numbers; from 1.
enum SliceFact : std::uint32_t {
  kNoFact,
  kSeverityFact,
  kCallPathFact,
  kDelayingRankFact,
  kDelayingThreadFact,
  kDelayingPathFact,
  kDelayingOperationFact,
  kWaitsFact,
  kEdgeFact,
  kDescriptionFact,
  kFactEnd,
};
constexpr const char* kFactNames[kFactEnd] = {
    "",      "severity", "callpath", "delaying_rank", "delaying_thread", "delaying_callpath", "delaying_operation",
    "waits", "edge",     "pattern"};

class PatternSlices {
 public:
  PatternSlices(const AnalysedPatterns& patterns, const File& file, const std::string& path)
      : patterns_(patterns), time_of_(patterns.definitions().clock), packets_(file, path) {
    for (std::size_t i = 0; i < patterns.patterns().size(); ++i)
      name_iids_.insert(static_cast<std::uint32_t>(patterns.patterns()[i]), i + 1);
    const auto& all = patterns.events().all;
    for (const PatternNumber number : all.ids())
      if (all[number].delay.is_valid()) caused_.emplace_back(all[number].delay, number);
    std::ranges::sort(caused_);
  }

  Status write() {
    put_names();
    put_processes();
    const auto& tracks = patterns_.events().tracks;
    for (const PatternTrackIndex index : tracks.ids()) TARRY_TRY(put_pattern_track(index));
    return packets_.flush();
  }

 private:
  static void intern(ProtobufWriter& into, std::uint32_t field, std::uint64_t iid, std::string_view text) {
    ProtobufWriter entry;
    entry.varint(interned::kIid, iid);
    entry.text(interned::kName, valid_utf8(text));
    into.message(field, entry);
  }

  void put_names() {
    ProtobufWriter names;
    for (const Metric metric : patterns_.patterns())
      intern(names, interned::kEventNames, iid_of(metric), info_of(metric).unique_name);
    for (std::uint32_t fact = kNoFact + 1; fact < kFactEnd; ++fact)
      intern(names, interned::kAnnotationNames, fact, kFactNames[fact]);
    for (const Metric metric : patterns_.patterns())
      intern(names, interned::kAnnotationTexts, iid_of(metric), info_of(metric).display_name);
    for (PathIndex path = 0; path < patterns_.path_count(); ++path)
      if (!patterns_.text_of(path).empty())
        intern(names, interned::kAnnotationTexts, iid_of_path(path), patterns_.text_of(path));
    packets_.put_names(names);
  }

  std::uint64_t iid_of(Metric metric) const { return *name_iids_.find(static_cast<std::uint32_t>(metric)); }
  std::uint64_t iid_of_path(PathIndex path) const { return patterns_.patterns().size() + 1 + path; }

  static std::uint64_t process_uuid(std::size_t process) { return process + 1; }
  std::uint64_t track_uuid(PatternTrackIndex track) const {
    return patterns_.definitions().processes.size() + 1 + track.value;
  }

  void put_processes() {
    const auto& processes = patterns_.definitions().processes;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      ProtobufWriter facts, descriptor;
      facts.varint(process::kPid, pid_of(processes[i].rank));
      facts.text(process::kName, "Rank " + std::to_string(processes[i].rank));
      descriptor.varint(track::kUuid, process_uuid(i));
      descriptor.message(track::kProcess, facts);
      packets_.put_track(descriptor);
    }
  }

  Status put_pattern_track(PatternTrackIndex index) {
    const PatternTrack& of = patterns_.events().tracks[index];
    const Location& at = patterns_.definitions().locations[of.location.value];
    ProtobufWriter descriptor;
    descriptor.varint(track::kUuid, track_uuid(index));
    descriptor.varint(track::kParent, process_uuid(at.process.value));
    descriptor.text(track::kName, track_title(of, at.thread));
    packets_.put_track(descriptor);
    for_each_end(
        patterns_.events(), of, [&](const PatternEvent& event) { begin_slice(event); },
        [&](const PatternEvent& event, const PatternEvent*) { end_slice(event); });
    return outcome_;
  }

  std::uint64_t time(Ticks ticks) const {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time_of_(ticks), 0));
  }

  void begin_slice(const PatternEvent& event) {
    event_.clear();
    annotate_facts(event);
    event_.varint(event::kType, event::kBegin);
    event_.varint(event::kNameIid, iid_of(event.metric));
    event_.varint(event::kTrack, track_uuid(event.track));
    const PatternNumber number = patterns_.events().number_of(event);
    for (auto [at, end] = std::ranges::equal_range(caused_, number, {}, &Caused::first); at != end; ++at)
      event_.fixed64(event::kFlow, std::uint64_t{at->second.value} + 1);
    if (event.delay.is_valid()) event_.fixed64(event::kFlowEnd, std::uint64_t{number.value} + 1);
    packets_.put_event(time(event.begin), event_);
  }

  void end_slice(const PatternEvent& event) {
    event_.clear();
    event_.varint(event::kType, event::kEnd);
    event_.varint(event::kTrack, track_uuid(event.track));
    packets_.put_event(time(event.end), event_);
    if (outcome_.ok()) outcome_ = packets_.spill();
  }

  template <class Set>
  void annotate(SliceFact fact, Set set) {
    ProtobufWriter note;
    note.varint(annotation::kNameIid, fact);
    set(note);
    event_.message(event::kAnnotation, note);
  }
  void annotate_number(SliceFact fact, std::uint64_t value) {
    annotate(fact, [&](ProtobufWriter& note) { note.varint(annotation::kUint, value); });
  }
  void annotate_path(SliceFact fact, PathIndex path) {
    if (path != kNoPath)
      annotate(fact, [&](ProtobufWriter& note) { note.varint(annotation::kStringIid, iid_of_path(path)); });
  }

  void annotate_facts(const PatternEvent& event) {
    annotate(kSeverityFact,
             [&](ProtobufWriter& note) { note.floating(annotation::kDouble, patterns_.seconds(event.severity)); });
    annotate(kDescriptionFact,
             [&](ProtobufWriter& note) { note.varint(annotation::kStringIid, iid_of(event.metric)); });
    annotate_path(kCallPathFact, event.path);
    if (event.waits > 0) annotate_number(kWaitsFact, event.waits);
    if (*event.edge) annotate(kEdgeFact, [&](ProtobufWriter& note) { note.text(annotation::kString, event.edge); });
    const LocationId cause = patterns_.cause_of(event);
    if (!cause.is_valid()) return;
    annotate_number(kDelayingRankFact, patterns_.place_of(cause).rank);
    annotate_number(kDelayingThreadFact, patterns_.place_of(cause).thread);
    annotate_path(kDelayingPathFact, event.wait->delay_path);
    annotate_path(kDelayingOperationFact, event.wait->cause.path);
  }

  using Caused = std::pair<PatternNumber, PatternNumber>;  // a delay, and a wait of it

  const AnalysedPatterns& patterns_;
  NanosecondClock time_of_;
  PerfettoPackets packets_;
  FlatMap<std::uint32_t, std::uint64_t> name_iids_;  // by metric
  std::vector<Caused> caused_;
  ProtobufWriter event_;
  Status outcome_;
};

}  // namespace

Status write_patterns_as_perfetto(Conversion& conversion, const AnalysedPatterns& patterns) {
  const std::string path = output_name(conversion.options.output);
  return write_file_with(conversion.options.output,
                         [&](const File& file) -> Status { return PatternSlices(patterns, file, path).write(); });
}

}  // namespace tarry
