// to_perfetto.cpp -- a trace for ui.perfetto.dev: slices for regions, flows for messages, tracks for what a replay
// found.
//
// A process is a process, a location a thread track of it. Names of regions are interned once, at the beginning of the
// one packet sequence.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/text/utf8.hpp"
#include "convert/convert.hpp"
#include "convert/paraver/message_ends.hpp"
#include "convert/perfetto/perfetto_packets.hpp"
#include "convert/text/text_pipeline.hpp"
#include "defs/location_label.hpp"
#include "trace/field_names.hpp"

namespace tarry {
namespace {

using namespace perfetto;

constexpr std::uint64_t kCounterTracks = std::uint64_t{1} << 40;  // numbers of the others are smaller

struct FlowKey {
  std::uint64_t comm, tag;
  std::uint32_t from, to;
  bool operator==(const FlowKey&) const = default;
};
std::uint64_t hash_of(const FlowKey& key) {
  return mix_bits(key.comm * 0x9e3779b97f4a7c15u ^
                  mix_bits(key.tag ^ mix_bits(std::uint64_t{key.from} << 32 | key.to)));
}
struct FlowHash {
  std::size_t operator()(const FlowKey& key) const { return hash_of(key); }
};

class PerfettoWriter {
 public:
  PerfettoWriter(const Definitions& all, const File& file, const std::string& path)
      : all_(all), time_of_(all.clock), packets_(file, path), depth_(all.locations.size()) {}

  Status begin(const Overlays& overlays) {
    write_names();
    write_tracks();
    write_overlays(overlays);
    return packets_.flush();
  }

  Status add(const TimelineBlock& block) {
    for (std::size_t i = 0; i < block.events.size(); ++i) add(block.events[i], block.locations[i]);
    return packets_.spill();
  }

  /// Regions that are still open end with the trace.
  Status finish() {
    for (std::size_t i = 0; i < depth_.size(); ++i)
      for (; depth_[i] > 0; --depth_[i]) put_event(last_time_, track_of(i), event::kEnd);
    return packets_.flush();
  }

 private:
  static std::uint64_t track_of(std::size_t location) { return location + 1; }
  std::uint64_t process_track(std::size_t process) const { return all_.locations.size() + process + 1; }

  void write_names() {
    ProtobufWriter names;
    for (std::size_t i = 0; i < all_.regions.size(); ++i) {
      ProtobufWriter name;
      name.varint(interned::kIid, i + 1);
      name.text(interned::kName, valid_utf8(all_.text(all_.regions[i].name)));
      names.message(interned::kEventNames, name);
    }
    packets_.put_names(names);
  }

  void write_tracks() {
    for (std::size_t i = 0; i < all_.processes.size(); ++i) {
      const Process& each = all_.processes[i];
      ProtobufWriter facts, descriptor;
      facts.varint(process::kPid, pid_of(each.rank));
      facts.text(process::kName, "Rank " + std::to_string(each.rank));
      descriptor.varint(track::kUuid, process_track(i));
      descriptor.message(track::kProcess, facts);
      packets_.put_track(descriptor);
    }
    for (std::size_t i = 0; i < all_.locations.size(); ++i) {
      const Location& each = all_.locations[i];
      const std::uint64_t pid = pid_of(all_.processes[each.process.value].rank);
      ProtobufWriter facts, descriptor;
      facts.varint(thread::kPid, pid);
      // The master has the number of its process; all numbers must differ.
      facts.varint(thread::kTid, each.thread == 0 ? pid : all_.processes.size() + 1 + i);
      facts.text(thread::kName, location_label(all_, each));
      descriptor.varint(track::kUuid, track_of(i));
      descriptor.message(track::kThread, facts);
      packets_.put_track(descriptor);
    }
  }

  /// Slices of one track must nest: what overlaps goes to another track of the same name. Intervals come in order.
  void write_overlays(const Overlays& overlays) {
    struct Track {
      Ticks end;
      std::uint64_t uuid;
    };
    std::map<std::pair<OverlayLayer, LocationId>, std::vector<Track>> tracks;
    std::uint64_t next_uuid = all_.locations.size() + all_.processes.size() + 1;
    for (const OverlayInterval& each : overlays.intervals) {
      auto& mine = tracks[{each.layer, each.location}];
      auto track = std::find_if(mine.begin(), mine.end(), [&](const Track& track) { return track.end <= each.begin; });
      if (track == mine.end()) {
        track = mine.insert(mine.end(), {each.end, next_uuid++});
        put_overlay_track(each, track->uuid);
      }
      track->end = each.end;
      put_event(time(each.begin), track->uuid, event::kBegin, each.text.empty() ? "start" : valid_utf8(each.text));
      put_event(time(each.end), track->uuid, event::kEnd);
    }
  }

  void put_overlay_track(const OverlayInterval& each, std::uint64_t uuid) {
    static constexpr const char* kLayers[] = {"wait states", "delay causes", "critical path"};
    const Location& at = all_.locations[each.location.value];
    ProtobufWriter descriptor;
    descriptor.varint(track::kUuid, uuid);
    descriptor.varint(track::kParent, process_track(at.process.value));
    descriptor.text(track::kName, std::string(kLayers[static_cast<int>(each.layer)]) +
                                      (at.thread ? ", thread " + std::to_string(at.thread) : ""));
    packets_.put_track(descriptor);
  }

  std::uint64_t time(Ticks ticks) {
    const std::int64_t nanoseconds = std::max<std::int64_t>(time_of_(ticks), 0);
    last_time_ = std::max(last_time_, static_cast<std::uint64_t>(nanoseconds));
    return static_cast<std::uint64_t>(nanoseconds);
  }

  void put_event(std::uint64_t when, std::uint64_t track, std::uint32_t type, const std::string& name = {},
                 std::uint64_t name_iid = 0) {
    event_.clear();
    event_.varint(event::kType, type);
    if (name_iid) event_.varint(event::kNameIid, name_iid);
    event_.varint(event::kTrack, track);
    if (!name.empty()) event_.text(event::kName, name);
    packets_.put_event(when, event_);
  }

  void add(const Event& each, std::uint32_t location) {
    const std::uint64_t when = time(each.time);
    const std::uint64_t track = track_of(location);
    if (each.kind == EventKind::kEnter) {
      ++depth_[location];
      put_event(when, track, event::kBegin, {}, std::uint64_t{record_of<record::Enter>(each).region.value} + 1);
    } else if (each.kind == EventKind::kLeave) {
      if (depth_[location] == 0) return;
      --depth_[location];
      put_event(when, track, event::kEnd);
    } else if (each.kind == EventKind::kMetric) {
      put_counter(record_of<record::Metric>(each), location, when);
    } else {
      put_instant(each, location, when);
    }
  }

  /// A counter has a track below that of its thread, made when it is first met.
  void put_counter(const record::Metric& each, std::uint32_t location, std::uint64_t when) {
    const Counter& counter = all_.counters[each.metric.value];
    const std::uint64_t track = kCounterTracks + location * all_.counters.size() + each.metric.value;
    if (counter_tracks_.insert(track).second) {
      ProtobufWriter facts, descriptor;
      facts.text(counter::kUnitName, valid_utf8(all_.text(counter.unit)));
      descriptor.varint(track::kUuid, track);
      descriptor.varint(track::kParent, track_of(location));
      descriptor.text(track::kName, valid_utf8(all_.text(counter.name)));
      descriptor.message(track::kCounter, facts);
      packets_.put_track(descriptor);
    }
    event_.clear();
    event_.varint(event::kType, event::kCounter);
    event_.varint(event::kTrack, track);
    if (counter.type == CounterType::kDouble) event_.fixed64(event::kDoubleValue, each.value);
    else event_.varint(event::kCounterValue, each.value);
    packets_.put_event(when, event_);
  }

  template <class Field>
  void annotate(std::string_view name, Field field) {
    ProtobufWriter note;
    note.text(annotation::kName, name);
    if (const auto value = name_in(all_, field)) note.text(annotation::kString, valid_utf8(*value));
    else note.varint(annotation::kUint, bits_of_field(field, false));
    event_.message(event::kAnnotation, note);
  }

  /// Everything but the ends of regions is an instant with its fields; messages are the ends of a flow.
  void put_instant(const Event& each, std::uint32_t location, std::uint64_t when) {
    event_.clear();
    visit_record(each, [&](const auto& record) {
      for_each_field(record, [&](auto field, auto is_optional, std::string_view name) {
        if (!is_optional || bits_of_field(field, true) != kNoField) annotate(name, field);
      });
      event_.varint(event::kType, event::kInstant);
      event_.varint(event::kTrack, track_of(location));
      event_.text(event::kName, info_of(each.kind).name);
      if constexpr (requires { message_of(record); }) put_flow(message_of(record), location);
    });
    packets_.put_event(when, event_);
  }

  /// The k-th send and the k-th receive of a channel have the same number.
  void put_flow(const MessageRecord& message, std::uint32_t location) {
    const std::uint32_t self = all_.processes[all_.locations[location].process.value].rank;
    const std::uint32_t other = partner_of(all_, message.comm, message.partner, self);
    if (other == kNoRank) return;
    const bool sends = message.is_send;
    const FlowKey key{message.comm.value, message.tag, sends ? self : other, sends ? other : self};
    std::uint64_t& count = (sends ? sent_ : received_)[key];
    event_.fixed64(sends ? event::kFlow : event::kFlowEnd, mix_bits(hash_of(key) + ++count));
  }

  const Definitions& all_;
  NanosecondClock time_of_;
  PerfettoPackets packets_;
  std::vector<std::uint32_t> depth_;
  std::unordered_map<FlowKey, std::uint64_t, FlowHash> sent_, received_;
  std::unordered_set<std::uint64_t> counter_tracks_;  // that are described
  std::uint64_t last_time_ = 0;
  ProtobufWriter event_;
};

}  // namespace

Status write_perfetto(Conversion& conversion) {
  TARRY_TRY_ASSIGN(timeline, open_timeline(conversion));
  const std::string path = output_name(conversion.options.output);
  return write_file_with(conversion.options.output, [&](const File& file) -> Status {
    PerfettoWriter writer(conversion.source.definitions(), file, path);
    TARRY_TRY(writer.begin(conversion.overlays));
    for (TimelineBlock block;;) {
      TARRY_TRY(timeline->next(block));
      if (block.empty()) break;
      TARRY_TRY(writer.add(block));
    }
    return writer.finish();
  });
}

}  // namespace tarry
