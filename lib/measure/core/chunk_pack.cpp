// chunk_pack.cpp -- adds a chunk so that a reader sees it as a whole or not at all.
#include "measure/core/chunk_pack.hpp"

#include <atomic>
#include <cstring>

#include "base/bytes/bytes.hpp"
#include "base/bytes/crc32.hpp"

namespace tarry::measure {

// The first word of the header goes last: without it there is no chunk.
void ChunkPack::add(ChunkHeader header, std::span<const std::uint8_t> raw) {
  header.codec = ChunkCodec::kRaw;
  header.raw_bytes = header.stored_bytes = static_cast<std::uint32_t>(raw.size());
  header.payload_crc = crc32(raw.data(), raw.size());
  const ChunkHeaderBytes bytes = encode_chunk_header(header);
  std::uint8_t* const at = data_ + used_;
  std::memcpy(at + kChunkHeaderBytes, raw.data(), raw.size());
  std::memcpy(at + sizeof kChunkMagic, bytes.data() + sizeof kChunkMagic, bytes.size() - sizeof kChunkMagic);
  std::atomic_signal_fence(std::memory_order_release);
  store_le<std::uint32_t>(at, kChunkMagic);
  used_ += kChunkHeaderBytes + raw.size();
}

}  // namespace tarry::measure
