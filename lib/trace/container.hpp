// container.hpp -- the physical files of an archive (docs/FORMAT.md, "Containers" and "Spools").
//
// They are containers, which hold many chunks of many locations in one file, and the spools that processes record into.
//
// A container is a 32-byte header and packed chunks that any number of processes of one node append. When the run is
// over it is sealed: an index chunk and a footer follow. Without them, readers walk the chunks and skip what is
// damaged. A spool has the same header with a block size, and then one chunk per block. It is written through shared
// memory maps while the program runs, so that it holds every recorded event when the process is killed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/owned_file.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "trace/chunk.hpp"

namespace tarry {

inline constexpr std::uint16_t kFormatMajor = 2;  // a reader refuses a larger one by name
inline constexpr std::uint16_t kFormatMinor = 0;
inline constexpr std::size_t kContainerHeaderBytes = 32;
inline constexpr std::size_t kSpoolFirstBlock = 4096;  // offset of the first block of a spool; a page
inline constexpr std::size_t kContainerFooterBytes = 24;

using ContainerHeaderBytes = std::array<std::uint8_t, kContainerHeaderBytes>;

/// Magic "TARRYCNT", u16 major, u16 minor, u32 block size (0: packed container), 12 reserved bytes, CRC-32 of the
/// above.
ContainerHeaderBytes encode_container_header(std::uint32_t block_bytes);

/// Header and payload of one chunk as in a file, compressed at `level` (1..9; 0: raw). Sets lengths and checksums,
/// which `header` need not have.
std::vector<std::uint8_t> encode_chunk(ChunkHeader header, std::span<const std::uint8_t> raw, int level);

/// Appends chunks to a container that other processes of the node append to as well. Uses only system calls and the
/// given buffers, so that it can run inside a measured program.
class ContainerWriter {
 public:
  /// Opens or creates; whoever comes first writes the header (under a file lock).
  static Result<ContainerWriter> open(const std::string& path);

  /// Appends one chunk. `header.stored_bytes`, `payload_crc` are set here. After a failed or partial write (disk full)
  /// the file is cut back to where it ended, so that no torn chunk remains.
  Status append(ChunkHeader header, std::span<const std::uint8_t> stored);

  /// Appends a chunk or several as encode_chunk() makes them.
  Status append_encoded(std::span<const std::uint8_t> chunks);

  /// False once the program around it has taken the descriptor away: appending would fail.
  bool is_open() const { return file_.is_open(); }

 private:
  OwnedFile file_;
  std::string path_;
};

/// Writes index and footer behind the chunks of a container, unless they are there. Idempotent; under a file lock.
Status seal_container(const std::string& path);

/// Offset of the index of a sealed container in its bytes; 0 if there is no valid footer.
std::uint64_t find_container_index(std::span<const std::uint8_t> bytes);

/// Where one chunk is.
struct ChunkRef {
  ChunkHeader header;
  std::uint64_t offset = 0;  // of the payload
};

/// A stretch of a container that is no valid chunk.
struct DamagedRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string why;
  /// Set if this is the beginning of a chunk whose writer was killed. Nothing is lost if the chunk is elsewhere, or
  /// if it is an index. (Less than a header counts as an index: it holds nothing.)
  std::optional<ChunkHeader> torn = std::nullopt;
};

/// A container or spool for reading, mapped into memory.
class Container {
 public:
  /// Fails only if nothing is readable: no such file, no header of ours, a newer major version.
  static Result<Container> open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<ChunkRef>& chunks() const { return chunks_; }
  const std::vector<DamagedRange>& damage() const { return damage_; }
  Bytes size() const { return file_.bytes().size(); }
  bool is_sealed() const { return is_sealed_; }
  bool is_spool() const { return block_bytes_ != 0; }

  /// The stored bytes of a chunk; shorter than header.stored_bytes if the file is cut off. Of an open chunk (spool):
  /// the block up to its end, the records end at a zero byte.
  std::span<const std::uint8_t> stored(const ChunkRef& chunk) const;

  /// The chunk's header as it is before its payload (an index has its own copy).
  std::span<const std::uint8_t> header_bytes(const ChunkRef& chunk) const {
    return file_.bytes().subspan(chunk.offset - kChunkHeaderBytes, kChunkHeaderBytes);
  }

  /// The payload ready for decoding, with `padding` zero bytes behind it.
  Status load(const ChunkRef& chunk, std::size_t padding, std::vector<std::uint8_t>& out) const;

  /// Takes the file's pages out of memory; they come back when they are read again.
  void forget() const { file_.forget(file_.bytes()); }

 private:
  std::string path_;
  MappedFile file_;
  std::uint32_t block_bytes_ = 0;
  bool is_sealed_ = false;
  std::vector<ChunkRef> chunks_;
  std::vector<DamagedRange> damage_;
};

}  // namespace tarry
