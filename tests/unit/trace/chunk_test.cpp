// chunk_test.cpp -- chunk headers and payloads: round trip, and what is rejected.
#include "trace/chunk.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes/bytes.hpp"
#include "base/bytes/crc32.hpp"
#include "base/arrays/flat_map.hpp"
#include "trace/container.hpp"

namespace tarry {
namespace {

ChunkHeader sample() {
  ChunkHeader header;
  header.kind = ChunkKind::kProfile;
  header.codec = ChunkCodec::kZlib;
  header.process = 1;
  header.thread = 2;
  header.sequence = 3;
  header.event_count = 4;
  header.raw_bytes = 5;
  header.stored_bytes = 6;
  header.first_time = -7;
  header.last_time = 8;
  header.payload_crc = 9;
  header.flags = kLastChunk;
  return header;
}

TEST(ChunkTest, HeaderSurvivesAndEveryFlippedBitIsNoticed) {
  const ChunkHeaderBytes bytes = encode_chunk_header(sample());
  const auto header = decode_chunk_header(bytes.data());
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(encode_chunk_header(header.value()), bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    ChunkHeaderBytes changed = bytes;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    EXPECT_FALSE(decode_chunk_header(changed.data()).ok());
  }
}

TEST(ChunkTest, UnknownKindsAreRefusedUnlessTheyMayBeSkipped) {
  for (const int kind : {0, 7, 0x7f, 0x80, 0xff}) {
    ChunkHeader header = sample();
    header.kind = static_cast<ChunkKind>(kind);
    EXPECT_EQ(decode_chunk_header(encode_chunk_header(header).data()).ok(), kind >= 0x80) << kind;
  }
}

TEST(ChunkTest, ImpossibleLengthsAreRefused) {
  ChunkHeader header = sample();
  header.raw_bytes = kMaxChunkBytes + 1;
  EXPECT_FALSE(decode_chunk_header(encode_chunk_header(header).data()).ok());
}

TEST(ChunkTest, PayloadSurvivesCompressedAndRaw) {
  const std::vector<std::uint8_t> payload(5000, 42);
  for (const int level : {0, 1, 9}) {
    const auto bytes = encode_chunk(sample(), payload, level);
    const auto header = decode_chunk_header(bytes.data());
    ASSERT_TRUE(header.ok());
    EXPECT_EQ(header.value().codec, level ? ChunkCodec::kZlib : ChunkCodec::kRaw);
    std::vector<std::uint8_t> out;
    const auto stored = std::span(bytes).subspan(kChunkHeaderBytes);
    ASSERT_TRUE(decode_chunk_payload(header.value(), stored, 16, out).ok());
    ASSERT_EQ(out.size(), payload.size() + 16);
    out.resize(payload.size());
    EXPECT_EQ(out, payload);
    EXPECT_FALSE(decode_chunk_payload(header.value(), stored.first(stored.size() - 1), 16, out).ok());
  }
}

TEST(ChunkTest, IsCompressedIfThatSavesAKilobyte) {
  std::vector<std::uint8_t> out;
  const auto is_compressed = [&](std::size_t bytes) {
    return compress_chunk(std::vector<std::uint8_t>(bytes, 'x'), 1, out);
  };
  EXPECT_FALSE(is_compressed(0));
  EXPECT_FALSE(is_compressed(kLeastSavedBytes));
  ASSERT_TRUE(is_compressed(2 * kLeastSavedBytes));
  EXPECT_LE(out.size() + kLeastSavedBytes, 2 * kLeastSavedBytes);
  // A little shorter is not enough, however long it is.
  std::vector<std::uint8_t> noise(8 * kLeastSavedBytes);
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::uint8_t>(mix_bits(i));
  std::fill_n(noise.begin(), kLeastSavedBytes / 2, 0);
  EXPECT_FALSE(compress_chunk(noise, 9, out));
}

TEST(ChunkTest, WrongLengthsInsideAreNoticed) {
  auto bytes = encode_chunk(sample(), std::vector<std::uint8_t>(5000, 42), 1);
  ChunkHeader header = decode_chunk_header(bytes.data()).value();
  std::vector<std::uint8_t> out;
  for (const std::uint32_t raw : {0u, 4999u, 5001u}) {
    header.raw_bytes = raw;
    EXPECT_FALSE(decode_chunk_payload(header, std::span(bytes).subspan(kChunkHeaderBytes), 0, out).ok());
  }
}

}  // namespace
}  // namespace tarry
