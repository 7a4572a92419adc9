// event_codec.cpp -- events to bytes and back.
#include "trace/event_codec.hpp"

namespace tarry {

std::uint8_t* encode_event(std::uint8_t* out, std::uint64_t delta, const Event& event) {
  if (event.kind == EventKind::kEnter) return encode_enter(out, delta, event.region().value);
  if (event.kind == EventKind::kLeave && event.fields[0] == kNoField) return encode_leave(out, delta);
  const EventKindInfo& info = info_of(event.kind);
  out = codec::encode_general(out, event.kind, delta);
  for (int i = 0; i < info.field_count; ++i)
    out = encode_varint(out, info.fields[i].is_optional ? optional_field(event.fields[i]) : event.fields[i]);
  return out;
}

std::size_t RecordDecoder::decode(Event* out, std::size_t capacity) {
  is_malformed_ = false;
  const std::uint8_t* at = at_;
  Event* const first = out;
  for (Event* const last = out + capacity; out != last && at < end_; ++out) {
    const std::uint64_t word = load_le<std::uint64_t>(at);
    const unsigned form = word & 3;
    const unsigned n = (word >> 2) & 3;
    const std::uint8_t* next;
    if (form == codec::kFormGeneral) {
      next = decode_general(at, *out);
      if (!next) break;
    } else if (form == codec::kFormLeave) {
      next = at + 1 + codec::kDeltaBytes[n];
      if (next > end_) break;
      advance((word >> 4) & codec::kDeltaMask[n]);
      out->kind = EventKind::kLeave;
      out->fields[0] = kNoField;
    } else {
      const unsigned wide = form - codec::kFormEnter8;
      next = at + 2 + n + 1 + wide;
      if (n == 3 || next > end_) break;
      advance((word >> 4) & codec::kDeltaMask[n]);
      out->kind = EventKind::kEnter;
      out->fields[0] = (word >> (8 * (2 + n))) & (wide ? 0xffff : 0xff);
    }
    out->time = time_;
    at = next;
  }
  is_malformed_ = static_cast<std::size_t>(out - first) < capacity && at < end_;
  at_ = at;
  return static_cast<std::size_t>(out - first);
}

// Returns the byte after the record, or nullptr if there is no whole known record at `at`.
const std::uint8_t* RecordDecoder::decode_general(const std::uint8_t* at, Event& event) {
  const std::uint8_t code = *at++ >> 2;
  const EventKindInfo& info = info_of(code);
  if (info.name.empty()) return nullptr;
  std::uint64_t delta = 0;
  at = decode_varint(at, end_, delta);
  if (!at || delta > kMaxDelta) return nullptr;
  for (int i = 0; i < info.field_count; ++i) {
    std::uint64_t value = 0;
    at = decode_varint(at, end_, value);
    if (!at) return nullptr;
    event.fields[i] = info.fields[i].is_optional ? value - 1 : value;  // 0 - 1 is kNoField
  }
  event.kind = static_cast<EventKind>(code);
  advance(delta);
  return at;
}

}  // namespace tarry
