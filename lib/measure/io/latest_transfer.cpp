// latest_transfer.cpp -- encodes the records of a call that others will be like.
#include "measure/io/latest_transfer.hpp"

#include "trace/event_codec.hpp"

namespace tarry::measure {
namespace {

constexpr Bytes kBytesBeforeFields = 2;  // code and time
constexpr Bytes kNoBytes = ~Bytes{0};    // no call moves as many

}  // namespace

void LatestTransfer::note(Kind kind, unsigned mode, std::uint64_t number, Sizes sizes, ProfileTree::FilePlace place,
                          bool needs_records) {
  kind_ = kind;
  mode_ = mode;
  number_ = number;
  place_ = place;
  if (!set_wanted(sizes.wanted, needs_records) || !set_moved(sizes.moved, needs_records)) kind_ = {};
}

bool LatestTransfer::set_wanted(Bytes bytes, bool needs_records) {
  std::uint8_t records[2 * kMaxRecordBytes] = {};
  std::uint8_t* const entered = encode_enter(records, 0, kind_.region() - 1);
  const std::uint8_t* const end = encode_fields(entered, EventKind::kIoOperationBegin, 0, kind_.file() - 1, mode_, 0u,
                                                wanted_field(bytes), number_);
  const bool fits = end - records <= 16 || !needs_records;
  const bool has_short_enter = kind_.region() <= kFirstWideRegion;
  if (!fits || !has_short_enter) {
    kind_ = {};
    return false;
  }
  sizes_.wanted = bytes;
  begin_field_bytes_ = static_cast<Bytes>(end - entered) - kBytesBeforeFields;
  records_.low = load_le<std::uint64_t>(records);
  records_.high = load_le<std::uint64_t>(records + sizeof records_.low);
  records_.begin_bytes = static_cast<std::uint8_t>(end - records);
  return true;
}

bool LatestTransfer::set_moved(Bytes bytes, bool needs_records) {
  std::uint8_t records[2 * kMaxRecordBytes] = {};
  std::uint8_t* const complete =
      encode_fields(records, EventKind::kIoOperationComplete, kLeastTwoByteDelta, kind_.file() - 1, bytes, number_);
  const std::uint8_t* const tail = records + EventBuffer::kEndTail;
  const std::uint8_t* const end = encode_leave(complete, 0);
  const bool fits = end - tail <= 8 || !needs_records;
  sizes_.moved = fits ? bytes : kNoBytes;
  end_field_bytes_ = static_cast<Bytes>(complete - tail);
  const std::uint8_t head[4] = {records[0], 0x80, 0, records[3]};
  records_.end_head = load_le<std::uint32_t>(head);
  records_.tail = load_le<std::uint64_t>(tail);
  records_.end_bytes = static_cast<std::uint8_t>(end - records);
  return fits;
}

}  // namespace tarry::measure
