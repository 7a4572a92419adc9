// event_codec_test.cpp -- every kind of event survives the way to bytes and back; broken bytes end decoding.
#include "trace/event_codec.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

namespace tarry {
namespace {

struct Encoded {
  std::vector<std::uint8_t> bytes;  // with padding
  std::size_t size = 0;
};

Encoded encode(const std::vector<Event>& events, Ticks first) {
  Encoded out;
  Ticks before = first;
  for (const Event& event : events) {
    std::uint8_t buffer[kMaxRecordBytes + 8];
    const std::uint8_t* end = encode_event(buffer, static_cast<std::uint64_t>(event.time - before), event);
    EXPECT_LE(end, buffer + kMaxRecordBytes);
    out.bytes.insert(out.bytes.end(), buffer, buffer + (end - buffer));
    before = event.time;
  }
  out.size = out.bytes.size();
  out.bytes.resize(out.size + kDecodePadding, 0);
  return out;
}

std::vector<Event> decode(const Encoded& in, Ticks first, std::size_t block = 64) {
  RecordDecoder decoder(in.bytes.data(), in.bytes.data() + in.size, first);
  std::vector<Event> events, part(block);
  while (const std::size_t count = decoder.decode(part.data(), part.size()))
    events.insert(events.end(), part.begin(), part.begin() + count);
  EXPECT_FALSE(decoder.is_malformed());
  EXPECT_EQ(decoder.position(), in.size);
  return events;
}

void expect_equal(const std::vector<Event>& found, const std::vector<Event>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].time, expected[i].time);
    ASSERT_EQ(found[i].kind, expected[i].kind);
    for (int f = 0; f < info_of(found[i].kind).field_count; ++f) EXPECT_EQ(found[i].fields[f], expected[i].fields[f]);
  }
}

TEST(EventCodecTest, EveryKindWithSmallLargeAndAbsentFields) {
  std::vector<Event> events;
  Ticks time = -50;
  for (int code = 1; code < kEventKindCount; ++code)
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{200}, std::uint64_t{0xfffffffe}, kNoField}) {
      const EventKindInfo& info = info_of(static_cast<std::uint8_t>(code));
      if (info.name.empty()) continue;
      Event event{time += 100, static_cast<EventKind>(code), {}};
      for (int f = 0; f < info.field_count; ++f)
        event.fields[f] = value == kNoField && !info.fields[f].is_optional ? 7 : value;
      events.push_back(event);
    }
  for (const std::size_t block : {1, 3, 1000}) expect_equal(decode(encode(events, -50), -50, block), events);
}

TEST(EventCodecTest, ShortFormsAtTheEdgesOfTheirRanges) {
  for (const Ticks delta :
       {0ll, 1ll, 4095ll, 4096ll, (1ll << 20) - 1, 1ll << 20, (1ll << 28) - 1, 1ll << 28, (1ll << 60) - 1})
    for (const std::uint64_t region : {0u, 255u, 256u, 65535u, 65536u, 0xfffffffeu}) {
      const std::vector<Event> events = {event_of(delta, record::Enter{.region = RegionId(region)}),
                                         event_of(2 * delta, record::Leave{})};
      expect_equal(decode(encode(events, 0), 0), events);
    }
}

TEST(EventCodecTest, SizesOfTheShortForms) {
  std::uint8_t buffer[kMaxRecordBytes];
  EXPECT_EQ(encode_enter(buffer, 4095, 255) - buffer, 3);
  EXPECT_EQ(encode_enter(buffer, 4096, 256) - buffer, 5);
  EXPECT_EQ(encode_leave(buffer, 4095) - buffer, 2);
  EXPECT_EQ(encode_leave(buffer, kMaxDelta) - buffer, 8);
}

TEST(EventCodecTest, FieldsEncodeAsEventsDo) {
  std::uint8_t one[kMaxRecordBytes], other[kMaxRecordBytes];
  const record::MpiCollectiveEnd end{.operation = CollectiveOp::kBcast, .comm = CommId(2), .sent = 300, .received = 4};
  const auto* one_end = encode_event(one, 77, event_of(0, end));
  const auto* other_end = encode_record(other, 77, end);
  EXPECT_EQ(std::vector(one, const_cast<std::uint8_t*>(one_end)),
            std::vector(other, const_cast<std::uint8_t*>(other_end)));
}

TEST(EventCodecTest, ZeroByteEndsTheRecordsAndImpossibleFormsAreMalformed) {
  static_assert(kEventKindCount == 64, "no code is unknown");
  // The end, calls on files without a pattern, an unknown form of them, a wide ENTER with a 60-bit time.
  for (const std::uint8_t bad : {0x00, 0x1e, 0x2e, 0x3e, 0x0f}) {
    Encoded in = encode({event_of(5, record::Enter{.region = RegionId(1)}), event_of(9, record::Leave{})}, 0);
    in.bytes.resize(in.size);
    in.bytes.insert(in.bytes.end(), {bad, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    const std::size_t good = in.size;
    in.size = in.bytes.size();
    in.bytes.resize(in.size + kDecodePadding);
    RecordDecoder decoder(in.bytes.data(), in.bytes.data() + in.size, 0);
    std::vector<Event> events(10);
    EXPECT_EQ(decoder.decode(events.data(), events.size()), 2u);
    EXPECT_TRUE(decoder.is_malformed());
    EXPECT_EQ(decoder.position(), good);
    EXPECT_EQ(decoder.time(), 9);
  }
}

TEST(EventCodecTest, CutRecordsAreNeverHandedOut) {
  const record::MpiIsend send{
      .receiver = CommRank(1), .comm = CommId(300), .tag = 70000, .bytes = 1u << 20, .request = 5};
  const Encoded whole = encode({event_of(1000000, send)}, 0);
  for (std::size_t size = 1; size < whole.size; ++size) {
    std::vector<std::uint8_t> bytes(whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    bytes.resize(size + kDecodePadding);
    Event event;
    RecordDecoder decoder(bytes.data(), bytes.data() + size, 0);
    EXPECT_EQ(decoder.decode(&event, 1), 0u);
    EXPECT_TRUE(decoder.is_malformed());
  }
}

constexpr CallPattern kWrite{.region = 300, .handle = 2, .mode = 1, .matching = 9, .wanted = 4096, .moved = 100};

void put_call(std::vector<std::uint8_t>& bytes, std::uint64_t delta, std::optional<std::uint64_t> duration) {
  std::uint8_t record[kMaxRecordBytes];
  std::uint8_t* end = encode_begun_call(record, delta);
  if (duration) {
    store_le(record, whole_call(load_le<std::uint64_t>(record), *duration));
    end = record + kWholeCallBytes;
  }
  bytes.insert(bytes.end(), record + 0, end);
}

void put_pattern(std::vector<std::uint8_t>& bytes, const CallPattern& pattern) {
  std::uint8_t record[kMaxRecordBytes];
  std::uint8_t* const end = encode_pattern(record, pattern);
  bytes.insert(bytes.end(), record + 0, end);
}

std::vector<Event> events_of(const CallPattern& call, Ticks begin, Ticks end) {
  const IoHandleId handle(call.handle);
  const record::IoOperationBegin first{
      .handle = handle, .mode = call.mode, .flags = call.flags, .bytes = call.wanted, .matching = call.matching};
  const record::IoOperationComplete last{.handle = handle, .bytes = call.moved, .matching = call.matching};
  return {event_of(begin, record::Enter{.region = RegionId(call.region)}), event_of(begin, first), event_of(end, last),
          event_of(end, record::Leave{})};
}

// Two calls, a begun one between them, another pattern; what follows a call has its time.
TEST(EventCodecTest, CallsOnFilesBecomeTheirEvents) {
  CallPattern read = kWrite;
  read.mode = 0;
  read.wanted = kNoField;
  Encoded in;
  put_pattern(in.bytes, kWrite);
  put_call(in.bytes, 65535, 65535);
  put_call(in.bytes, 0, std::nullopt);
  put_pattern(in.bytes, read);
  put_call(in.bytes, 5, 0);
  std::uint8_t leave[kMaxRecordBytes];
  in.bytes.insert(in.bytes.end(), leave + 0, encode_leave(leave, 7));
  in.size = in.bytes.size();
  in.bytes.resize(in.size + kDecodePadding);
  std::vector<Event> expected = events_of(kWrite, 65535, 131070);
  const auto begun = events_of(kWrite, 131070, 0), other = events_of(read, 131075, 131075);
  expected.insert(expected.end(), begun.begin(), begun.begin() + 2);
  expected.insert(expected.end(), other.begin(), other.end());
  expected.push_back(event_of(131082, record::Leave{}));
  for (const std::size_t block : {1, 2, 3, 5, 64}) expect_equal(decode(in, 0, block), expected);
}

// Wherever a decoder is, a copy of it goes on from there.
TEST(EventCodecTest, DecodingGoesOnInTheMiddleOfACall) {
  Encoded in;
  put_pattern(in.bytes, kWrite);
  for (int i = 0; i < 3; ++i) put_call(in.bytes, 10, 20);
  in.size = in.bytes.size();
  in.bytes.resize(in.size + kDecodePadding);
  const std::vector<Event> all = decode(in, 0);
  RecordDecoder decoder(in.bytes.data(), in.bytes.data() + in.size, 0);
  for (std::size_t at = 0; at <= all.size(); ++at) {
    RecordDecoder copy = decoder;
    std::vector<Event> rest(all.size());
    rest.resize(copy.decode(rest.data(), rest.size()));
    expect_equal(rest, {all.begin() + static_cast<std::ptrdiff_t>(at), all.end()});
    Event event;
    EXPECT_EQ(decoder.decode(&event, 1), at < all.size() ? 1u : 0u);
    if (at < all.size()) {
      EXPECT_EQ(decoder.time(), all[at].time);
    }
    EXPECT_FALSE(decoder.is_malformed());
  }
}

TEST(EventCodecTest, CutCallsAreNeverHandedOut) {
  std::vector<std::uint8_t> whole;
  put_pattern(whole, kWrite);
  const std::size_t pattern = whole.size();
  put_call(whole, 10, 20);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    std::vector<std::uint8_t> bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    bytes.resize(size + kDecodePadding);
    Event event;
    RecordDecoder decoder(bytes.data(), bytes.data() + size, 0);
    EXPECT_EQ(decoder.decode(&event, 1), 0u);
    EXPECT_EQ(decoder.is_malformed(), size != pattern);
  }
}

TEST(EventCodecTest, RandomBytesEndSomewhere) {
  std::mt19937_64 random(7);
  std::vector<Event> events(100);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint8_t> bytes(random() % 200 + kDecodePadding);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    RecordDecoder decoder(bytes.data(), bytes.data() + bytes.size() - kDecodePadding, static_cast<Ticks>(random()));
    std::size_t total = 0;
    while (const std::size_t count = decoder.decode(events.data(), events.size())) total += count;
    EXPECT_LE(total, bytes.size());
  }
}

}  // namespace
}  // namespace tarry
