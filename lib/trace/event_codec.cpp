// event_codec.cpp -- events to bytes and back.
#include "trace/event_codec.hpp"

namespace tarry {

std::uint8_t* encode_event(std::uint8_t* out, std::uint64_t delta, const Event& event) {
  if (event.kind == EventKind::kEnter) return encode_enter(out, delta, record_of<record::Enter>(event).region.value);
  if (event.kind == EventKind::kLeave && !record_of<record::Leave>(event).region.is_valid())
    return encode_leave(out, delta);
  return encode_fields(codec::encode_general(out, event.kind, delta), event);
}

std::uint8_t* encode_fields(std::uint8_t* out, const Event& event) {
  const EventKindInfo& info = info_of(event.kind);
  for (int i = 0; i < info.field_count; ++i)
    out = encode_varint(out, event.fields[i] + info.fields[i].is_optional);  // kNoField + 1 is 0
  return out;
}

const std::uint8_t* decode_fields(const std::uint8_t* at, const std::uint8_t* end, Event& event) {
  const EventKindInfo& info = info_of(event.kind);
  for (int i = 0; i < info.field_count; ++i) {
    std::uint64_t value = 0;
    at = decode_varint(at, end, value);
    if (!at) return nullptr;
    event.fields[i] = value - info.fields[i].is_optional;  // 0 - 1 is kNoField
  }
  return at;
}

std::uint8_t* encode_pattern_head(std::uint8_t* out, const CallPattern& pattern) {
  *out++ = codec::kPattern;
  for (const std::uint64_t field : {pattern.region, pattern.handle, pattern.mode, pattern.flags, pattern.matching})
    out = encode_varint(out, field);
  return out;
}

std::size_t RecordDecoder::decode(Event* out, std::size_t capacity) {
  is_malformed_ = false;
  const std::uint8_t* at = at_;
  Event* const first = out;
  Event* const last = out + capacity;
  if (step_ != steps_end_) out = put_steps(out, last);
  while (out != last && at < end_) {
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
      if (n == 3) [[unlikely]] {
        next = decode_call_form(at, word);
        if (!next) break;
        out = put_steps(out, last);
        at = next;
        continue;
      }
      const unsigned wide = form - codec::kFormEnter8;
      next = at + 2 + n + 1 + wide;
      if (next > end_) break;
      advance((word >> 4) & codec::kDeltaMask[n]);
      out->kind = EventKind::kEnter;
      out->fields[0] = (word >> (8 * (2 + n))) & (wide ? 0xffff : 0xff);
    }
    out->time = time_;
    ++out;
    at = next;
  }
  is_malformed_ = static_cast<std::size_t>(out - first) < capacity && at < end_;
  at_ = at;
  return static_cast<std::size_t>(out - first);
}

// Returns the byte after the record, or nullptr if there is no whole known record at `at`.
const std::uint8_t* RecordDecoder::decode_general(const std::uint8_t* at, Event& event) {
  const std::uint8_t code = *at++ >> 2;
  if (info_of(code).name.empty()) return nullptr;
  std::uint64_t delta = 0;
  at = decode_varint(at, end_, delta);
  if (!at || delta > kMaxDelta) return nullptr;
  event.kind = static_cast<EventKind>(code);
  at = decode_fields(at, end_, event);
  if (!at) return nullptr;
  advance(delta);
  return at;
}

// The same; put_steps() makes its events.
const std::uint8_t* RecordDecoder::decode_call_form(const std::uint8_t* at, std::uint64_t word) {
  const auto code = static_cast<std::uint8_t>(word);
  if (code == codec::kPattern) return decode_pattern(at + 1);
  const bool is_whole = code == codec::kWholeCall;
  if ((!is_whole && code != codec::kBegunCall) || !has_pattern_) return nullptr;
  const std::uint8_t* const next = at + (is_whole ? kWholeCallBytes : kBegunCallBytes);
  if (next > end_) return nullptr;
  advance(word >> 8 & 0xffff);
  duration_ = static_cast<std::uint16_t>(word >> 24);
  step_ = 0;
  steps_end_ = is_whole ? 4 : 2;
  return next;
}

const std::uint8_t* RecordDecoder::decode_pattern(const std::uint8_t* at) {
  CallPattern read;
  for (std::uint64_t* const field :
       {&read.region, &read.handle, &read.mode, &read.flags, &read.matching, &read.wanted, &read.moved}) {
    at = decode_varint(at, end_, *field);
    if (!at) return nullptr;
  }
  --read.wanted;  // 0 - 1 is kNoField
  pattern_ = read;
  has_pattern_ = true;
  return at;
}

// As many events of the latest call as have room.
Event* RecordDecoder::put_steps(Event* out, const Event* last) {
  for (; step_ != steps_end_ && out != last; ++out, ++step_) {
    if (step_ == 2) advance(duration_);
    const CallPattern& call = pattern_;
    switch (step_) {
      case 0: *out = event_of(time_, record::Enter{.region = field_of<RegionId>(call.region)}); break;
      case 1:
        *out = event_of(time_, record::IoOperationBegin{.handle = field_of<IoHandleId>(call.handle),
                                                        .mode = call.mode,
                                                        .flags = call.flags,
                                                        .bytes = call.wanted,
                                                        .matching = call.matching});
        break;
      case 2:
        *out = event_of(
            time_, record::IoOperationComplete{
                       .handle = field_of<IoHandleId>(call.handle), .bytes = call.moved, .matching = call.matching});
        break;
      default: *out = event_of(time_, record::Leave()); break;
    }
  }
  return out;
}

}  // namespace tarry
