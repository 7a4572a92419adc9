// dropped_events.cpp -- what has to be known about events that gave way to later ones.
#include "measure/core/dropped_events.hpp"

#include <algorithm>

#include "trace/event_codec.hpp"

namespace tarry::measure {

void DroppedEvents::Stream::follow(const Event& event) {
  if (event.kind == EventKind::kEnter) open_regions.push_back(record_of<record::Enter>(event).region);
  if (event.kind == EventKind::kLeave && !open_regions.empty()) open_regions.pop_back();
}

void DroppedEvents::add(const ChunkHeader& header, std::span<const std::uint8_t> payload, Reason reason) {
  Stream& stream = streams_[header.thread];
  constexpr std::size_t kBatch = 256;
  Event events[kBatch];
  RecordDecoder decoder(payload.data(), payload.data() + payload.size(), header.first_time);
  while (const std::size_t count = decoder.decode(events, kBatch))
    for (std::size_t i = 0; i < count; ++i) stream.follow(events[i]);
  stream.last_sequence = header.sequence;
  if (reason == Reason::kUnwanted) return;
  stream.lost += header.event_count;
  count_ += header.event_count;
}

void DroppedEvents::add_before(Ticks from, ChunkHeader& header, std::span<const std::uint8_t> payload,
                               std::vector<std::uint8_t>& records) {
  Stream& stream = streams_[header.thread];
  stream.last_sequence = header.sequence - 1;
  records.clear();
  const std::uint32_t count = header.event_count;
  RecordDecoder decoder(payload.data(), payload.data() + payload.size(), header.first_time);
  header.first_time = std::max(from, header.first_time);
  header.event_count = 0;
  Ticks last = header.first_time;
  Event event;
  for (std::uint32_t i = 0; i < count && decoder.decode(&event, 1) == 1; ++i) {
    if (event.time < from) {
      stream.follow(event);
      continue;
    }
    if (header.event_count++ == 0) last = header.first_time = event.time;
    std::uint8_t record[kMaxRecordBytes];
    std::uint8_t* const end = encode_event(record, static_cast<std::uint64_t>(event.time - last), event);
    records.insert(records.end(), record + 0, end);
    last = event.time;
  }
  header.last_time = last;
}

std::uint32_t DroppedEvents::number(const ChunkHeader& kept) const {
  const auto found = streams_.find(kept.thread);
  return found == streams_.end() ? kept.sequence : kept.sequence - found->second.last_sequence;
}

bool DroppedEvents::take(const ChunkHeader& first_kept, ChunkHeader& header, std::vector<std::uint8_t>& records) {
  const auto found = streams_.find(first_kept.thread);
  if (found == streams_.end() || found->second.is_taken) return false;
  Stream& stream = found->second;
  stream.is_taken = true;
  header = first_kept;
  header.flags = 0;
  header.sequence = 0;
  header.event_count = static_cast<std::uint32_t>(stream.open_regions.size()) + (stream.lost > 0);
  header.first_time = header.last_time = first_kept.first_time;
  records.resize((stream.open_regions.size() + 1) * kMaxRecordBytes + kDecodePadding);
  std::uint8_t* at = records.data();
  for (const RegionId region : stream.open_regions) at = encode_enter(at, 0, region.value);
  if (stream.lost > 0) at = encode_record(at, 0, record::Lost{.count = stream.lost});
  records.resize(static_cast<std::size_t>(at - records.data()));
  return true;
}

}  // namespace tarry::measure
