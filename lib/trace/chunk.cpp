// chunk.cpp -- header, checksums and compression of one chunk.
#include "trace/chunk.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <memory>

#include "base/bytes/bytes.hpp"
#include "base/bytes/crc32.hpp"
#include "base/processes/thread_owned.hpp"

namespace tarry {
namespace {

constexpr std::size_t kHeaderCrcOffset = 60;

bool is_known_kind(std::uint8_t kind) {
  return (kind >= static_cast<std::uint8_t>(ChunkKind::kEvents) &&
          kind <= static_cast<std::uint8_t>(ChunkKind::kCorrections)) ||
         (kind & kSkippableChunk);
}

}  // namespace

ChunkHeaderBytes encode_chunk_header(const ChunkHeader& header) {
  ChunkHeaderBytes bytes{};
  store_le<std::uint32_t>(&bytes[0], kChunkMagic);
  bytes[4] = static_cast<std::uint8_t>(header.kind);
  bytes[5] = static_cast<std::uint8_t>(header.codec);
  store_le<std::uint16_t>(&bytes[6], kChunkHeaderBytes);
  store_le<std::uint32_t>(&bytes[8], header.process);
  store_le<std::uint32_t>(&bytes[12], header.thread);
  store_le<std::uint32_t>(&bytes[16], header.sequence);
  store_le<std::uint32_t>(&bytes[20], header.event_count);
  store_le<std::uint32_t>(&bytes[24], header.raw_bytes);
  store_le<std::uint32_t>(&bytes[28], header.stored_bytes);
  store_le<std::uint64_t>(&bytes[32], static_cast<std::uint64_t>(header.first_time));
  store_le<std::uint64_t>(&bytes[40], static_cast<std::uint64_t>(header.last_time));
  store_le<std::uint32_t>(&bytes[48], header.payload_crc);
  store_le<std::uint32_t>(&bytes[52], header.flags);
  store_le<std::uint32_t>(&bytes[kHeaderCrcOffset], crc32(bytes.data(), kHeaderCrcOffset));
  return bytes;
}

Result<ChunkHeader> decode_chunk_header(const std::uint8_t* bytes) {
  ByteReader in(bytes, kChunkHeaderBytes);
  ChunkHeader header;
  if (in.u32() != kChunkMagic) return Error{"chunk", "has no header", ""};
  if (load_le<std::uint32_t>(bytes + kHeaderCrcOffset) != crc32(bytes, kHeaderCrcOffset))
    return Error{"chunk", "its header fails the checksum", ""};
  const std::uint8_t kind = in.u8();
  const std::uint8_t codec = in.u8();
  if (in.u16() != kChunkHeaderBytes) return Error{"chunk", "has a header of another version", ""};
  if (!is_known_kind(kind)) return Error{"chunk", "is of unknown kind " + std::to_string(kind), "use a newer version"};
  if (codec > static_cast<std::uint8_t>(ChunkCodec::kZlib))
    return Error{"chunk", "has an unknown compression", "use a newer version"};
  header.kind = static_cast<ChunkKind>(kind);
  header.codec = static_cast<ChunkCodec>(codec);
  header.process = in.u32();
  header.thread = in.u32();
  header.sequence = in.u32();
  header.event_count = in.u32();
  header.raw_bytes = in.u32();
  header.stored_bytes = in.u32();
  header.first_time = static_cast<Ticks>(in.u64());
  header.last_time = static_cast<Ticks>(in.u64());
  header.payload_crc = in.u32();
  header.flags = in.u32();
  if (header.raw_bytes > kMaxChunkBytes || header.stored_bytes > kMaxChunkBytes + kMaxChunkBytes / 16)
    return Error{"chunk", "is impossibly long", ""};
  return header;
}

bool compress_chunk(std::span<const std::uint8_t> raw, int level, std::vector<std::uint8_t>& out) {
  return raw.size() > kLeastSavedBytes && ChunkCompressor(level).compress(raw, out);
}

ChunkCompressor::ChunkCompressor(int level) : state_(libdeflate_alloc_compressor(level)) {}

ChunkCompressor::~ChunkCompressor() { libdeflate_free_compressor(state_); }

std::size_t ChunkCompressor::bound(std::size_t raw_bytes) { return libdeflate_zlib_compress_bound(state_, raw_bytes); }

bool ChunkCompressor::compress(std::span<const std::uint8_t> raw, std::vector<std::uint8_t>& out) {
  if (raw.size() <= kLeastSavedBytes || !state_) return false;
  out.resize(bound(raw.size()));
  out.resize(libdeflate_zlib_compress(state_, raw.data(), raw.size(), out.data(), out.size()));
  return !out.empty() && out.size() + kLeastSavedBytes <= raw.size();
}

Status decode_chunk_payload(const ChunkHeader& header, std::span<const std::uint8_t> stored, std::size_t padding,
                            std::vector<std::uint8_t>& out) {
  if (stored.size() != header.stored_bytes) return Error{"chunk", "is cut off", ""};
  if (crc32(stored.data(), stored.size()) != header.payload_crc) return Error{"chunk", "fails its checksum", ""};
  out.resize(header.raw_bytes + padding);
  std::fill(out.begin() + header.raw_bytes, out.end(), 0);
  if (header.codec == ChunkCodec::kRaw) {
    if (header.raw_bytes != header.stored_bytes) return Error{"chunk", "has contradictory lengths", ""};
    std::copy(stored.begin(), stored.end(), out.begin());
    return {};
  }
  // Chunks may be many and small: to make one for each takes as long as to use it.
  thread_local const ThreadOwned<std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>>
      decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!decompressor) return Error{"chunk", "cannot be inflated: out of memory", ""};
  // Without a place for the actual size it fails unless that is raw_bytes exactly.
  if (libdeflate_zlib_decompress(decompressor.get(), stored.data(), stored.size(), out.data(), header.raw_bytes,
                                 nullptr) != LIBDEFLATE_SUCCESS)
    return Error{"chunk", "cannot be inflated", ""};
  return {};
}

}  // namespace tarry
