// encoded_call.hpp -- the records of a thread's latest read or write, encoded: the next call is like it, as a rule.
//
// All but the times is kept. What is too long for a store or two is encoded anew each time.
#pragma once

#include "measure/core/event_buffer.hpp"

namespace tarry::measure {

class EncodedCall {
 public:
  /// What the records of the begin tell.
  struct Begin {
    std::uint32_t region = ~0u;
    std::uint32_t file = 0;
    unsigned mode = 0;
    std::uint64_t wanted = 0;
    std::uint64_t number = 0;
    bool operator==(const Begin&) const = default;
  };

  [[gnu::always_inline]] void set_begin(const Begin& begin) {
    if (begin_ != begin) [[unlikely]]
      encode_begin(begin);
  }
  /// Behind set_begin(), for the same call.
  [[gnu::always_inline]] void set_end(Bytes moved) {
    if (moved_ != moved || records_.tail_bytes == 0) [[unlikely]]
      encode_end(moved);
  }

  const EventBuffer::EncodedPair& records() const { return records_; }
  /// What the fields of each record take that is no enter or leave.
  Bytes begin_field_bytes() const { return begin_field_bytes_; }
  Bytes end_field_bytes() const { return end_field_bytes_; }

 private:
  static constexpr Bytes kBytesBefore = 2;  // of the fields: code and time

  [[gnu::noinline]] void encode_begin(const Begin& begin) {
    begin_ = begin;
    records_.begin_bytes = records_.tail_bytes = 0;
    std::uint8_t bytes[2 * kMaxRecordBytes] = {};
    std::uint8_t* const entered = encode_enter(bytes, 0, begin.region);
    const std::uint8_t* const end =
        encode_fields(entered, EventKind::kIoOperationBegin, 0, begin.file, begin.mode, 0u, begin.wanted, begin.number);
    begin_field_bytes_ = static_cast<Bytes>(end - entered) - kBytesBefore;
    records_.low = load_le<std::uint64_t>(bytes);
    records_.high = load_le<std::uint64_t>(bytes + sizeof records_.low);
    if (end - bytes <= 16 && begin.region < kFirstWideRegion)
      records_.begin_bytes = static_cast<std::uint8_t>(end - bytes);
  }

  [[gnu::noinline]] void encode_end(Bytes moved) {
    moved_ = moved;
    records_.tail_bytes = 0;
    std::uint8_t bytes[2 * kMaxRecordBytes] = {};
    std::uint8_t* const complete =
        encode_fields(bytes, EventKind::kIoOperationComplete, 0, begin_.file, moved, begin_.number);
    const std::uint8_t* const tail = bytes + kBytesBefore;
    const std::uint8_t* const end = encode_leave(complete, 0);
    end_field_bytes_ = static_cast<Bytes>(complete - tail);
    records_.end_code = bytes[0];
    records_.tail = load_le<std::uint64_t>(tail);
    if (end - tail <= 8) records_.tail_bytes = static_cast<std::uint8_t>(end - tail);
  }

  Begin begin_;
  Bytes moved_ = 0;
  EventBuffer::EncodedPair records_;
  Bytes begin_field_bytes_ = 0, end_field_bytes_ = 0;
};

}  // namespace tarry::measure
