// to_paraver.cpp -- a Paraver trace: states, events and communications in the .prv, names in the .pcf and .row.
//
// The trace is read in order of time. States and communications are known only when they end, but are written at their
// begin. So all records go through a sorter that uses temporary files when they are many.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <deque>
#include <unordered_map>

#include "base/arrays/flat_map.hpp"
#include "convert/convert.hpp"
#include "convert/paraver/message_ends.hpp"
#include "convert/overlays.hpp"
#include "convert/paraver/paraver_names.hpp"
#include "convert/paraver/paraver_numbers.hpp"
#include "convert/paraver/paraver_records.hpp"
#include "convert/text/text_pipeline.hpp"

namespace tarry {
namespace {

using namespace paraver;

/// One end of a message that waits for the other.
struct MessageEnd {
  std::uint32_t location = 0;
  std::int64_t logical = 0, physical = 0;
  std::uint64_t bytes = 0;
};

/// Ends that wait, all of them sends or all of them receives: a list in WaitingEnds, oldest first.
struct Channel {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint32_t first = kNone, last = kNone;
  bool holds_sends = false;
};

/// The ends that wait, of all channels: a trace may have millions of channels with one end each.
class WaitingEnds {
 public:
  void add(Channel& channel, const MessageEnd& end) {
    std::uint32_t place = free_;
    if (place == Channel::kNone) {
      place = static_cast<std::uint32_t>(ends_.size());
      ends_.emplace_back();
    }
    free_ = ends_[place].next;
    ends_[place] = {end, Channel::kNone};
    (channel.first == Channel::kNone ? channel.first : ends_[channel.last].next) = place;
    channel.last = place;
    ++count_;
  }

  /// The oldest end of a channel that has one.
  MessageEnd take(Channel& channel) {
    const std::uint32_t place = channel.first;
    channel.first = ends_[place].next;
    ends_[place].next = free_;
    free_ = place;
    --count_;
    return ends_[place].end;
  }

  std::uint64_t count() const { return count_; }

 private:
  struct Link {
    MessageEnd end;
    std::uint32_t next = Channel::kNone;
  };
  std::deque<Link> ends_;
  std::uint32_t free_ = Channel::kNone;
  std::uint64_t count_ = 0;
};

struct ChannelKey {
  std::uint64_t comm, tag;
  std::uint32_t from, to;
  bool operator==(const ChannelKey&) const = default;
};
struct ChannelHash {
  std::size_t operator()(const ChannelKey& key) const {
    return mix_bits(key.comm * 0x9e3779b97f4a7c15u ^
                    mix_bits(key.tag ^ mix_bits(std::uint64_t{key.from} << 32 | key.to)));
  }
};

/// Turns the events of the trace into records.
class RecordMaker {
 public:
  RecordMaker(const Definitions& all, ParaverRecords& records)
      : all_(all), records_(records), numbers_(numbers_of(all)), places_(all.locations.size()) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      places_[i].rank = all.processes[all.locations[i].process.value].rank;
  }

  Status add(const TimelineBlock& block) {
    for (std::size_t i = 0; i < block.events.size(); ++i) TARRY_TRY(add(block.events[i], block.locations[i]));
    return {};
  }

  Status add_overlays(const Overlays& overlays) {
    for (const OverlayInterval& each : overlays.intervals) {
      const std::int64_t begin = records_.time(each.begin), end = records_.time(each.end);
      const std::uint32_t type = each.layer == OverlayLayer::kWait         ? kWaitState
                                 : each.layer == OverlayLayer::kDelayCause ? kDelayCause
                                                                           : kCriticalPath;
      TARRY_TRY(records_.add_event(each.location.value, begin, type, each.kind + 1));
      TARRY_TRY(records_.add_event(each.location.value, end, type, 0));
      if (each.layer == OverlayLayer::kWait)
        TARRY_TRY(records_.add_event(each.location.value, begin, kWaitMicroseconds, (end - begin) / 1000));
    }
    return {};
  }

  /// States that are still open end with the trace.
  Status finish() {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].is_seen) TARRY_TRY(end_state(static_cast<std::uint32_t>(i), records_.last_time()));
    return {};
  }

  std::uint64_t unmatched() const { return waiting_.count() + unknown_ends_; }

 private:
  struct Place {
    std::uint32_t rank = 0;
    bool is_seen = false;
    State state = kRunning;
    std::int64_t state_begin = 0;
    std::int64_t enter = 0;  // of the innermost region
    std::vector<std::uint32_t> open;
    std::vector<std::int64_t> enters;
    std::unordered_map<std::uint64_t, std::int64_t> requests;  // when they were posted
    std::vector<std::uint64_t> counters;                       // their last values
  };

  Status end_state(std::uint32_t location, std::int64_t when) {
    Place& place = places_[location];
    if (when > place.state_begin)
      TARRY_TRY(records_.add({place.state_begin, kStateRecord, location, 0, {when, place.state}}));
    place.state_begin = when;
    return {};
  }
  Status change_state(std::uint32_t location, std::int64_t when, State state) {
    if (places_[location].state == state) return {};
    TARRY_TRY(end_state(location, when));
    places_[location].state = state;
    return {};
  }
  Status enter(std::uint32_t location, std::int64_t when, std::uint32_t region) {
    Place& place = places_[location];
    place.open.push_back(region);
    place.enters.push_back(when);
    TARRY_TRY(records_.add_event(location, when, numbers_[region].type, numbers_[region].value));
    return change_state(location, when, numbers_[region].state);
  }
  Status leave(std::uint32_t location, std::int64_t when, std::uint64_t region) {
    Place& place = places_[location];
    if (region < numbers_.size()) TARRY_TRY(records_.add_event(location, when, numbers_[region].type, 0));
    if (!place.open.empty()) {
      place.open.pop_back();
      place.enters.pop_back();
    }
    return change_state(location, when, place.open.empty() ? kRunning : numbers_[place.open.back()].state);
  }

  Status add(const Event& event_, std::uint32_t location) {
    using enum EventKind;
    Place& place = places_[location];
    const std::int64_t when = records_.time(event_.time);
    if (!place.is_seen) {
      place.is_seen = true;
      place.state_begin = when;
    }
    switch (event_.kind) {
      case kEnter: return enter(location, when, record_of<record::Enter>(event_).region.value);
      case kLeave: return leave(location, when, record_of<record::Leave>(event_).region.value);
      case kMpiIrecvRequest:
        place.requests[record_of<record::MpiIrecvRequest>(event_).request] = entered(place, when);
        return {};
      case kMpiRequestCancelled:
        place.requests.erase(record_of<record::MpiRequestCancelled>(event_).request);
        return {};
      case kMpiSend: return message(message_of(record_of<record::MpiSend>(event_)), location, when);
      case kMpiIsend: return message(message_of(record_of<record::MpiIsend>(event_)), location, when);
      case kMpiRecv: return message(message_of(record_of<record::MpiRecv>(event_)), location, when);
      case kMpiIrecv: return message(message_of(record_of<record::MpiIrecv>(event_)), location, when);
      case kMetric: return metric(record_of<record::Metric>(event_), location, when);
      case kMpiCollectiveEnd: return collective(record_of<record::MpiCollectiveEnd>(event_), location, when);
      case kBufferFlush: return flush(event_.time, record_of<record::BufferFlush>(event_), location);
      default: return {};
    }
  }

  Status flush(Ticks begin, const record::BufferFlush& flush, std::uint32_t location) {
    TARRY_TRY(records_.add_event(location, records_.time(begin), kFlushing, 1));
    return records_.add_event(location, records_.time(begin + static_cast<Ticks>(flush.duration)), kFlushing, 0);
  }

  /// As BSC's tools have them: what was counted since the record before.
  Status metric(const record::Metric& metric, std::uint32_t location, std::int64_t when) {
    const std::uint32_t number = metric.metric.value;
    const Counter& counter = all_.counters[number];
    std::vector<std::uint64_t>& last = places_[location].counters;
    if (last.empty()) last.resize(all_.counters.size());
    double value = counter_value(counter.type, metric.value);
    if (counter.mode == CounterMode::kSinceStart) value = counter_difference(counter.type, last[number], metric.value);
    last[number] = metric.value;
    return records_.add_event(location, when, kCounters + number, std::llround(std::max(value, 0.0)));
  }

  static std::int64_t entered(const Place& place, std::int64_t when) {
    return place.enters.empty() ? when : place.enters.back();
  }

  Status collective(const record::MpiCollectiveEnd& end, std::uint32_t location, std::int64_t when) {
    const Place& place = places_[location];
    const std::int64_t begin = entered(place, when);  // BSC's tools put them where the call begins
    TARRY_TRY(records_.add_event(location, begin, kSendSize, static_cast<std::int64_t>(end.sent)));
    TARRY_TRY(records_.add_event(location, begin, kReceiveSize, static_cast<std::int64_t>(end.received)));
    if (end.root.is_valid() && partner_of(all_, end.comm, end.root, place.rank) == place.rank)
      TARRY_TRY(records_.add_event(location, begin, kIsRoot, 1));
    return records_.add_event(location, begin, kCommunicator, std::int64_t{end.comm.value} + 1);
  }

  /// Messages match in order of time on their channel.
  Status message(const MessageRecord& message, std::uint32_t location, std::int64_t when) {
    Place& place = places_[location];
    const bool sends = message.is_send;
    MessageEnd end{location, entered(place, when), when, message.bytes};
    if (!sends && message.request)
      if (const auto posted = place.requests.find(*message.request); posted != place.requests.end()) {
        end.logical = posted->second;
        place.requests.erase(posted);
      }
    const std::uint32_t other = partner_of(all_, message.comm, message.partner, place.rank);
    if (other == kNoRank) {
      ++unknown_ends_;
      return {};
    }
    const ChannelKey key{message.comm.value, message.tag, sends ? place.rank : other, sends ? other : place.rank};
    Channel& channel = channels_[key];
    if (channel.first == Channel::kNone) channel.holds_sends = sends;
    if (channel.holds_sends == sends) {
      waiting_.add(channel, end);
      return {};
    }
    const MessageEnd partner = waiting_.take(channel);
    const MessageEnd& from = sends ? end : partner;
    const MessageEnd& to = sends ? partner : end;
    const Status outcome = records_.add({from.logical,
                                         kCommRecord,
                                         from.location,
                                         0,
                                         {from.physical, to.location, to.logical, to.physical,
                                          static_cast<std::int64_t>(from.bytes), static_cast<std::int64_t>(key.tag)}});
    if (channel.first == Channel::kNone) channels_.erase(key);
    return outcome;
  }

  const Definitions& all_;
  ParaverRecords& records_;
  std::vector<RegionNumbers> numbers_;
  std::vector<Place> places_;
  std::unordered_map<ChannelKey, Channel, ChannelHash> channels_;
  WaitingEnds waiting_;
  std::uint64_t unknown_ends_ = 0;
};

}  // namespace

Status write_paraver(Conversion& conversion) {
  const Definitions& all = conversion.source.definitions();
  const std::string& output = conversion.options.output;
  if (output == "-") return Error{"-", "a Paraver trace is three files", "name the .prv file"};
  ParaverRecords records(all.clock);
  RecordMaker maker(all, records);
  TARRY_TRY(maker.add_overlays(conversion.overlays));
  TARRY_TRY_ASSIGN(timeline, open_timeline(conversion));
  for (TimelineBlock block;;) {
    TARRY_TRY(timeline->next(block));
    if (block.empty()) break;
    TARRY_TRY(maker.add(block));
  }
  TARRY_TRY(maker.finish());
  if (const std::uint64_t unmatched = maker.unmatched(); unmatched > 0)
    conversion.left_out = std::to_string(unmatched) + " ends of messages without the other end";
  return records.write(output, all, paraver_pcf(all, conversion.overlays));
}

}  // namespace tarry
