// chunk.hpp -- the framed piece of a container: header, checksums, compression (docs/FORMAT.md, "Chunks").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

struct libdeflate_compressor;

namespace tarry {

/// What a chunk holds. Codes with kSkippableChunk set may be skipped by a reader that does not know them.
enum class ChunkKind : std::uint8_t {
  kEvents = 1,
  kDefinitions = 2,
  kProfile = 3,
  kIndex = 4,
  kIdMaps = 5,
  kCorrections = 6,
  kOtf2Facts = 0x86,
  kRecordExtras = 0x87,
  kProfileMemory = 0x88,
};
inline constexpr std::uint8_t kSkippableChunk = 0x80;

enum class ChunkCodec : std::uint8_t { kRaw = 0, kZlib = 1 };

/// Flags of a chunk.
inline constexpr std::uint32_t kLastChunk = 1;  // the location (or the process's definitions) ends with this chunk
inline constexpr std::uint32_t kOpenChunk = 2;  // still being written: lengths, counts and sums are not set

inline constexpr std::size_t kChunkHeaderBytes = 64;
inline constexpr std::uint32_t kChunkMagic = 0x4b484354;  // "TCHK"
inline constexpr std::uint32_t kMaxChunkBytes = 64u << 20;

struct ChunkHeader {
  ChunkKind kind = ChunkKind::kEvents;
  ChunkCodec codec = ChunkCodec::kRaw;
  std::uint32_t process = 0;   // number of the process in the archive (world rank)
  std::uint32_t thread = 0;    // location within the process; 0 for definitions and profiles
  std::uint32_t sequence = 0;  // counts the chunks of one (kind, process, thread) from 0
  std::uint32_t event_count = 0;
  std::uint32_t raw_bytes = 0;     // payload as encoded
  std::uint32_t stored_bytes = 0;  // payload as it is in the file
  Ticks first_time = 0;            // of the first and last event, uncorrected local ticks
  Ticks last_time = 0;
  std::uint32_t payload_crc = 0;  // of the stored bytes
  std::uint32_t flags = 0;
};

using ChunkHeaderBytes = std::array<std::uint8_t, kChunkHeaderBytes>;

ChunkHeaderBytes encode_chunk_header(const ChunkHeader& header);

/// Fails on a wrong magic, checksum, kind, codec or impossible length. `bytes` has kChunkHeaderBytes.
Result<ChunkHeader> decode_chunk_header(const std::uint8_t* bytes);

/// A compressed chunk is at least so many bytes shorter than the raw one. Inflating starts with decoding tables. Making
/// them takes 4 to 8 us however short the chunk, and in that time any disk reads more than this.
inline constexpr std::size_t kLeastSavedBytes = 1024;

/// Compresses `raw` in zlib's format at `level` (1..9) into `out` (resized; at most raw.size() + small). False if that
/// fails or does not save kLeastSavedBytes; then the caller stores the chunk raw.
bool compress_chunk(std::span<const std::uint8_t> raw, int level, std::vector<std::uint8_t>& out);

/// The same for many chunks, one after the other: what it needs beside `out` is taken once, and not by operator new.
class ChunkCompressor {
 public:
  explicit ChunkCompressor(int level);
  ~ChunkCompressor();
  ChunkCompressor(const ChunkCompressor&) = delete;
  ChunkCompressor& operator=(const ChunkCompressor&) = delete;

  /// What `out` may become while so many bytes are compressed. Then it need not grow.
  std::size_t bound(std::size_t raw_bytes);
  bool compress(std::span<const std::uint8_t> raw, std::vector<std::uint8_t>& out);

 private:
  libdeflate_compressor* const state_;  // nullptr: no memory
};

/// Checks the payload's checksum and inflates it if need be, into `out` with `padding` zero bytes behind.
Status decode_chunk_payload(const ChunkHeader& header, std::span<const std::uint8_t> stored, std::size_t padding,
                            std::vector<std::uint8_t>& out);

}  // namespace tarry
