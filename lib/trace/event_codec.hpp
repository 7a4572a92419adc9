// event_codec.hpp -- events to bytes and back, side by side; the byte layout is docs/FORMAT.md, "Records".
//
// Enter and leave are most of a trace, so they have short forms that one 8-byte store writes and one 8-byte load reads:
//
//   bit 0..1  form: 1 leave, 2 enter with a 1-byte region, 3 enter with a 2-byte region (0: general form, below)
//   bit 2..3  n: the time difference takes 1, 2, 3 or 7 further bytes
//   bit 4..   time difference since the previous record, 12, 20, 28 or 60 bits, little endian
//   then      region, 1 or 2 bytes, little endian
//
// The general form is one byte `code << 2`, then varints: time difference, fields. A zero byte ends the records.
// Because a short record is written by one store, a process that is killed leaves no half of one.
//
// Most reads and writes of a file are like the one before. They have short forms, too: those of an enter whose n is 3,
// told apart by bits 4..7. One has what such calls have in common and is no event. The others follow it:
//
//   0  pattern: varints region, handle, mode, flags, matching, bytes?, bytes moved
//   1  begun: 2 bytes time difference      ENTER, IO_OPERATION_BEGIN
//   2  whole: the same, 2 bytes duration   these, IO_OPERATION_COMPLETE, LEAVE
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "base/bytes/bytes.hpp"
#include "base/units.hpp"
#include "trace/event.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Room that must be free at `out` before any encode_* call, in bytes: the longest record and the width of a store.
inline constexpr std::size_t kMaxRecordBytes = 1 + (1 + kMaxEventFields) * kMaxVarintBytes;

/// Bytes that must be readable behind the records handed to a RecordDecoder.
inline constexpr std::size_t kDecodePadding = 16;

/// Time differences below this take the short form's 3-byte encoding or less.
inline constexpr std::uint64_t kShortDelta = std::uint64_t{1} << 28;
inline constexpr std::uint32_t kFirstWideRegion = 0x10000;  // has no short form
/// Below this, the least that a short form takes.
inline constexpr std::uint64_t kLeastLongDelta = std::uint64_t{1} << 12;
/// From these on, the general form takes two bytes of time, or three.
inline constexpr std::uint64_t kLeastTwoByteDelta = std::uint64_t{1} << 7,
                               kLeastThreeByteDelta = std::uint64_t{1} << 14;
inline constexpr std::uint64_t kMaxDelta = (std::uint64_t{1} << 60) - 1;

namespace codec {

inline constexpr unsigned kFormGeneral = 0, kFormLeave = 1, kFormEnter8 = 2, kFormEnter16 = 3;
inline constexpr std::uint8_t kPattern = 0x0e, kBegunCall = 0x1e, kWholeCall = 0x2e;  // the first byte
inline constexpr std::uint8_t kDeltaBytes[4] = {1, 2, 3, 7};
inline constexpr std::uint64_t kDeltaMask[4] = {(1u << 12) - 1, (1u << 20) - 1, (1u << 28) - 1, kMaxDelta};

inline unsigned delta_size_code(std::uint64_t delta) {
  return (delta >= (1u << 12)) + (delta >= (1u << 20)) + (delta >= (1u << 28));
}

inline std::uint8_t* encode_general(std::uint8_t* out, EventKind kind, std::uint64_t delta) {
  *out++ = static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 2);
  return encode_varint(out, delta);
}

}  // namespace codec

/// ENTER and LEAVE where `delta` is less than kLeastLongDelta and `region` than kFirstWideRegion.
inline std::uint8_t* encode_short_enter(std::uint8_t* out, std::uint64_t delta, std::uint32_t region) {
  const unsigned wide = region > 0xff;
  store_le<std::uint64_t>(out, (codec::kFormEnter8 + wide) | (delta << 4) | (std::uint64_t{region} << 16));
  return out + 3 + wide;
}
inline std::uint8_t* encode_short_leave(std::uint8_t* out, std::uint64_t delta) {
  store_le<std::uint64_t>(out, codec::kFormLeave | (delta << 4));
  return out + 2;
}

/// ENTER `region`, `delta` ticks after the previous record; returns the first byte after it.
inline std::uint8_t* encode_enter(std::uint8_t* out, std::uint64_t delta, std::uint32_t region) {
  if (delta < kShortDelta && region < kFirstWideRegion) [[likely]] {
    const unsigned n = codec::delta_size_code(delta);
    const unsigned wide = region > 0xff;
    const unsigned head_bytes = 2 + n;  // form byte and n + 1 bytes of time
    store_le<std::uint64_t>(out, (codec::kFormEnter8 + wide) | (n << 2) | (delta << 4) |
                                     (static_cast<std::uint64_t>(region) << (8 * head_bytes)));
    return out + head_bytes + 1 + wide;
  }
  out = codec::encode_general(out, EventKind::kEnter, delta);
  return encode_varint(out, region);
}

/// LEAVE of the innermost open region.
inline std::uint8_t* encode_leave(std::uint8_t* out, std::uint64_t delta) {
  const unsigned n = codec::delta_size_code(delta);
  store_le<std::uint64_t>(out, codec::kFormLeave | (n << 2) | (delta << 4));
  return out + 1 + codec::kDeltaBytes[n];
}

/// What the records of ENTER and LEAVE take.
inline Bytes enter_bytes(std::uint64_t delta, std::uint32_t region) {
  if (delta < kShortDelta && region < kFirstWideRegion) [[likely]]
    return 3u + codec::delta_size_code(delta) + (region > 0xff);
  return 1 + varint_bytes(delta) + varint_bytes(region);
}
inline Bytes leave_bytes(std::uint64_t delta) { return 1u + codec::kDeltaBytes[codec::delta_size_code(delta)]; }

/// What reads or writes of a file that are like each other have in common.
struct CallPattern {
  std::uint64_t region = 0, handle = 0, mode = 0, flags = 0, matching = 0;
  std::uint64_t wanted = kNoField;  // bytes that are asked for
  std::uint64_t moved = 0;          // bytes that were transferred
};

/// From these on, neither the time before such a call nor its duration fits into its short form.
inline constexpr std::uint64_t kFirstLongCallDelta = std::uint64_t{1} << 16;
inline constexpr std::size_t kBegunCallBytes = 3, kWholeCallBytes = 5;

/// A call that begins `delta` ticks after the previous record. Writes one word.
inline std::uint8_t* encode_begun_call(std::uint8_t* out, std::uint64_t delta) {
  store_le<std::uint64_t>(out, codec::kBegunCall | delta << 8);
  return out + kBegunCallBytes;
}
/// Makes the word that such a call was written with that of a whole one, which took `duration`.
inline std::uint64_t whole_call(std::uint64_t begun, std::uint64_t duration) {
  return begun + (codec::kWholeCall - codec::kBegunCall) + (duration << 24);
}

/// The number that is stored for a field: for an optional one its value + 1, or 0 if it is absent.
template <class Field, bool kIsOptional>
constexpr std::uint64_t stored_field(Field field, std::bool_constant<kIsOptional>) {
  return bits_of_field(field, kIsOptional) + kIsOptional;
}

/// Any other event than ENTER and LEAVE. The code is written last: as long as it is not there, the records end before
/// this one.
template <class Record>
inline std::uint8_t* encode_record(std::uint8_t* out, std::uint64_t delta, const Record& record) {
  std::uint8_t* const code = out;
  out = encode_varint(out + 1, delta);
  for_each_field(record, [&](auto field, auto is_optional, std::string_view) {
    out = encode_varint(out, stored_field(field, is_optional));
  });
  std::atomic_signal_fence(std::memory_order_release);
  *code = static_cast<std::uint8_t>(static_cast<unsigned>(Record::kKind) << 2);
  return out;
}

/// What its fields take, in bytes.
template <class Record>
[[gnu::always_inline]] inline Bytes field_bytes(const Record& record) {
  Bytes bytes = 0;
  for_each_field(record, [&](auto field, auto is_optional, std::string_view) {
    bytes += varint_bytes(stored_field(field, is_optional));
  });
  return bytes;
}

/// The pattern of calls: all but its last two fields, and these.
std::uint8_t* encode_pattern_head(std::uint8_t* out, const CallPattern& pattern);
inline std::uint8_t* encode_pattern_bytes(std::uint8_t* out, std::uint64_t wanted, std::uint64_t moved) {
  return encode_varint(encode_varint(out, stored_field(wanted, std::true_type())), moved);
}
inline std::uint8_t* encode_pattern(std::uint8_t* out, const CallPattern& pattern) {
  return encode_pattern_bytes(encode_pattern_head(out, pattern), pattern.wanted, pattern.moved);
}

/// The fields of any event as varints, and back; nullptr if they do not end before `end`.
std::uint8_t* encode_fields(std::uint8_t* out, const Event& event);
const std::uint8_t* decode_fields(const std::uint8_t* at, const std::uint8_t* end, Event& event);

/// Any event, `delta` ticks after the previous record.
std::uint8_t* encode_event(std::uint8_t* out, std::uint64_t delta, const Event& event);

/// Decodes the records of one chunk. At least kDecodePadding readable bytes must follow `end`. A copy goes on from
/// where the decoder is.
class RecordDecoder {
 public:
  RecordDecoder(const std::uint8_t* begin, const std::uint8_t* end, Ticks first_time)
      : begin_(begin), at_(begin), end_(end), time_(first_time) {}

  /// Decodes up to `capacity` events into `out`, returns how many; fewer only at the end or at a malformed record.
  std::size_t decode(Event* out, std::size_t capacity);

  /// True if the last decode() stopped at bytes that are no record (also an unknown code).
  bool is_malformed() const { return is_malformed_; }

  /// Bytes consumed so far. Events of the latest record may still follow.
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

  /// Time of the last event decoded.
  Ticks time() const { return time_; }

 private:
  const std::uint8_t* decode_general(const std::uint8_t* at, Event& event);
  const std::uint8_t* decode_call_form(const std::uint8_t* at, std::uint64_t word);
  const std::uint8_t* decode_pattern(const std::uint8_t* at);
  Event* put_steps(Event* out, const Event* last);

  // Untrusted differences may overflow: unsigned arithmetic wraps where signed would be undefined.
  void advance(std::uint64_t delta) { time_ = static_cast<Ticks>(static_cast<std::uint64_t>(time_) + delta); }

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  Ticks time_;
  bool is_malformed_ = false;
  bool has_pattern_ = false;
  std::uint8_t step_ = 0, steps_end_ = 0;  // events of the latest record that are to follow
  std::uint16_t duration_ = 0;             // of its call
  CallPattern pattern_;
};

}  // namespace tarry
