// chunk_pack.hpp -- a block that many short chunks share: what threads have left that have ended.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>

#include "measure/core/spool.hpp"
#include "trace/chunk.hpp"

namespace tarry::measure {

/// Over the memory of a block, which is zeros where nothing was added. Chunks are as in a container, one behind the
/// other. So a reader of the spool finds them when the process is killed, and they are written out as they are.
class ChunkPack {
 public:
  /// Longer chunks are compressed one by one, and a copy of them takes longer than a system call.
  static constexpr std::size_t kLongest = 4096;

  ChunkPack(std::uint8_t* data, std::size_t used) : data_(data), used_(used) {}

  static bool is_short(std::size_t bytes) { return bytes <= kLongest; }
  bool has_room_for(std::size_t bytes) const { return used_ + kChunkHeaderBytes + bytes <= kBlockBytes; }

  /// Adds a chunk whose counts, times and flags are final. There is room.
  void add(ChunkHeader header, std::span<const std::uint8_t> raw);

  /// Bytes up to here are chunks.
  std::size_t used() const { return used_; }

 private:
  std::uint8_t* data_;
  std::size_t used_;
};

}  // namespace tarry::measure
