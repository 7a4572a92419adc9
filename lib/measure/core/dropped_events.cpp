// dropped_events.cpp -- what has to be known about events that gave way to later ones.
#include "measure/core/dropped_events.hpp"

#include "trace/event_codec.hpp"

namespace tarry::measure {

void DroppedEvents::add(const ChunkHeader& header, std::span<const std::uint8_t> payload) {
  Stream& stream = streams_[header.thread];
  constexpr std::size_t kBatch = 256;
  Event events[kBatch];
  RecordDecoder decoder(payload.data(), payload.data() + payload.size(), header.first_time);
  while (const std::size_t count = decoder.decode(events, kBatch)) {
    for (std::size_t i = 0; i < count; ++i) {
      if (events[i].kind == EventKind::kEnter) stream.open_regions.push_back(events[i].region().value);
      if (events[i].kind == EventKind::kLeave && !stream.open_regions.empty()) stream.open_regions.pop_back();
    }
  }
  stream.lost += header.event_count;
  stream.last_sequence = header.sequence;
  count_ += header.event_count;
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
  header.event_count = static_cast<std::uint32_t>(stream.open_regions.size()) + 1;
  header.first_time = header.last_time = first_kept.first_time;
  records.resize((stream.open_regions.size() + 1) * kMaxRecordBytes + kDecodePadding);
  std::uint8_t* at = records.data();
  for (const std::uint32_t region : stream.open_regions) at = encode_enter(at, 0, region);
  at = encode_fields(at, EventKind::kLost, 0, stream.lost);
  records.resize(static_cast<std::size_t>(at - records.data()));
  return true;
}

}  // namespace tarry::measure
