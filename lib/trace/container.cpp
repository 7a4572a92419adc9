// container.cpp -- writing, sealing and reading the physical files of an archive.
#include "trace/container.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "base/bytes/bytes.hpp"
#include "base/bytes/crc32.hpp"

namespace tarry {
namespace {

constexpr char kContainerMagic[8] = {'T', 'A', 'R', 'R', 'Y', 'C', 'N', 'T'};
constexpr char kFooterMagic[8] = {'T', 'A', 'R', 'R', 'Y', 'I', 'D', 'X'};
constexpr std::size_t kContainerCrcOffset = 28;
constexpr std::size_t kFooterCrcOffset = 20;
constexpr std::size_t kMagicBytes = 4;
// An index entry is the offset of a chunk and its header without the magic. So a reader that looks for chunks in a
// damaged file does not take the entry for a chunk.
constexpr std::size_t kIndexEntryBytes = 8 + kChunkHeaderBytes - kMagicBytes;
constexpr std::uint32_t kMinBlockBytes = 4096;
// zlib cannot do better than this; a header that claims more is not worth an allocation.
constexpr std::uint64_t kMaxInflation = 1032;

// Holds flock(2) on a file. File systems without locks are written without: O_APPEND keeps appends apart there.
class FileLock {
 public:
  explicit FileLock(const OwnedFile& file) : file_(file) {
    while (::flock(file_.descriptor(), LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::flock(file_.descriptor(), LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const OwnedFile& file_;
};

Result<std::uint64_t> size_of(const OwnedFile& file, const std::string& path) {
  struct stat facts;
  if (::fstat(file.descriptor(), &facts) != 0) return Error{path, system_error(), ""};
  return static_cast<std::uint64_t>(facts.st_size);
}

// Appends all parts at the end of the file, or nothing. The caller holds the lock.
Status append_parts(const OwnedFile& file, const std::string& path, std::span<iovec> parts) {
  TARRY_TRY_ASSIGN(end, size_of(file, path));
  while (!parts.empty()) {
    const ssize_t written =
        ::writev(file.descriptor(), parts.data(), static_cast<int>(std::min<std::size_t>(parts.size(), 1024)));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const Error error{path, system_error(), errno == ENOSPC || errno == EDQUOT ? "make room and run again" : ""};
      if (::ftruncate(file.descriptor(), static_cast<off_t>(end)) != 0)
        return Error{path, error.why + "; and it cannot be cut back: " + system_error(), error.hint};
      return error;
    }
    std::size_t done = static_cast<std::size_t>(written);
    while (!parts.empty() && done >= parts.front().iov_len) {
      done -= parts.front().iov_len;
      parts = parts.subspan(1);
    }
    if (!parts.empty()) {
      parts.front().iov_base = static_cast<char*>(parts.front().iov_base) + done;
      parts.front().iov_len -= done;
    }
  }
  return {};
}

iovec part(const void* data, std::size_t size) { return {const_cast<void*>(data), size}; }

bool is_valid_header_at(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  return offset + kChunkHeaderBytes <= bytes.size() && decode_chunk_header(bytes.data() + offset).ok();
}

// The first offset at or after `from` where a valid chunk header is, or the size of the file.
std::uint64_t find_chunk(std::span<const std::uint8_t> bytes, std::uint64_t from) {
  std::uint8_t magic[kMagicBytes];
  store_le<std::uint32_t>(magic, kChunkMagic);
  while (from + kChunkHeaderBytes <= bytes.size()) {
    const void* hit = ::memmem(bytes.data() + from, bytes.size() - from, magic, sizeof magic);
    if (!hit) break;
    from = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(hit) - bytes.data());
    if (is_valid_header_at(bytes, from)) return from;
    ++from;
  }
  return bytes.size();
}

std::string describe(const ChunkHeader& header) {
  return "chunk " + std::to_string(header.sequence) + " of process " + std::to_string(header.process) + " thread " +
         std::to_string(header.thread);
}

struct Contents {
  std::vector<ChunkRef> chunks;
  std::vector<DamagedRange> damage;
};

// What is left where a chunk should be: the beginning of a header?
std::optional<ChunkHeader> stub_of_header(std::span<const std::uint8_t> bytes) {
  std::uint8_t magic[kMagicBytes];
  store_le<std::uint32_t>(magic, kChunkMagic);
  const std::size_t length = std::min(bytes.size(), kMagicBytes);
  if (bytes.size() >= kChunkHeaderBytes || !std::equal(magic, magic + length, bytes.begin())) return std::nullopt;
  ChunkHeader header;
  header.kind = ChunkKind::kIndex;
  return header;
}

// Finds the chunks of a packed container one behind the other. Where a chunk does not end at another one, there are two
// cases. Either the next header is damaged, or this chunk is torn (its writer was killed) and the next one begins
// inside its claimed length. The first valid header behind its own decides. Every byte is read a constant number of
// times.
Contents walk_packed(std::span<const std::uint8_t> bytes, std::uint64_t from) {
  Contents found;
  const std::uint64_t size = bytes.size();
  std::uint64_t at = from;
  while (at < size) {
    if (size - at == kContainerFooterBytes && find_container_index(bytes) != 0) break;
    const auto header = at + kChunkHeaderBytes <= size ? decode_chunk_header(bytes.data() + at)
                                                       : Result<ChunkHeader>(Error{"chunk", "is cut off", ""});
    if (!header.ok()) {
      const std::uint64_t next = find_chunk(bytes, at + 1);
      found.damage.push_back({at, next - at, header.error().why, stub_of_header(bytes.subspan(at, next - at))});
      at = next;
      continue;
    }
    const std::uint64_t payload = at + kChunkHeaderBytes;
    const std::uint64_t end = payload + header.value().stored_bytes;
    bool is_torn = end > size;
    std::uint64_t next = end;
    if (end != size && !is_valid_header_at(bytes, end)) {
      next = find_chunk(bytes, payload);
      is_torn = is_torn || next < end;
      if (!is_torn) next = end;
    }
    if (is_torn) found.damage.push_back({at, next - at, describe(header.value()) + " is cut off", header.value()});
    else if (header.value().kind != ChunkKind::kIndex) found.chunks.push_back({header.value(), payload});
    at = next;
  }
  return found;
}

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

// What is in a block of a spool: a chunk that is open, or several that are not.
void walk_block(std::span<const std::uint8_t> bytes, std::uint64_t begin, std::uint64_t end, Contents& found) {
  const std::uint64_t last = std::min<std::uint64_t>(end, bytes.size());
  for (std::uint64_t at = begin; at + kChunkHeaderBytes <= last;) {
    // Behind the first chunk, one may be about to be added; its first word comes last.
    if (is_zero(bytes.subspan(at, at == begin ? kChunkHeaderBytes : kMagicBytes))) return;
    auto header = decode_chunk_header(bytes.data() + at);
    if (!header.ok()) return found.damage.push_back({at, last - at, header.error().why});
    const std::uint64_t payload = at + kChunkHeaderBytes;
    if (header->stored_bytes > end - payload)
      return found.damage.push_back({at, last - at, describe(*header) + " is longer than its block"});
    found.chunks.push_back({*header, payload});
    if (header->flags & kOpenChunk) return;
    at = payload + header->stored_bytes;
  }
}

Contents walk_spool(std::span<const std::uint8_t> bytes, std::uint32_t block_bytes) {
  Contents found;
  for (std::uint64_t at = kSpoolFirstBlock; at + kChunkHeaderBytes <= bytes.size(); at += block_bytes)
    walk_block(bytes, at, at + block_bytes, found);
  return found;
}

// The entries of the index; nothing if the index is damaged.
Result<Contents> read_index(std::span<const std::uint8_t> bytes, std::uint64_t index_offset) {
  const Error damaged{"index", "is damaged", ""};
  Contents found;
  std::uint64_t at = index_offset;
  const std::uint64_t end = bytes.size() - kContainerFooterBytes;
  while (at < end) {
    if (end - at < kChunkHeaderBytes) return damaged;
    const auto index = decode_chunk_header(bytes.data() + at);
    if (!index.ok() || index.value().kind != ChunkKind::kIndex || index.value().codec != ChunkCodec::kRaw)
      return damaged;
    at += kChunkHeaderBytes;
    const std::uint64_t length = index.value().stored_bytes;
    if (length > end - at || length % kIndexEntryBytes != 0) return damaged;
    if (crc32(bytes.data() + at, length) != index.value().payload_crc) return damaged;
    for (const std::uint64_t stop = at + length; at < stop; at += kIndexEntryBytes) {
      ChunkHeaderBytes copy;
      store_le<std::uint32_t>(copy.data(), kChunkMagic);
      std::copy_n(bytes.data() + at + 8, kChunkHeaderBytes - kMagicBytes, copy.data() + kMagicBytes);
      const auto header = decode_chunk_header(copy.data());
      const std::uint64_t offset = load_le<std::uint64_t>(bytes.data() + at);
      if (!header.ok() || offset > index_offset || index_offset - offset < kChunkHeaderBytes) return damaged;
      if (header.value().stored_bytes > index_offset - offset - kChunkHeaderBytes) return damaged;
      found.chunks.push_back({header.value(), offset + kChunkHeaderBytes});
    }
  }
  return found;
}

// A stretch that the index leaves out: chunks that were torn when it was written, or damage.
void add_gap(std::vector<DamagedRange>& damage, std::span<const std::uint8_t> bytes, std::uint64_t begin,
             std::uint64_t end) {
  if (begin >= end) return;
  Contents found = walk_packed(bytes.first(end), begin);
  if (found.chunks.empty() && !found.damage.empty())
    std::move(found.damage.begin(), found.damage.end(), std::back_inserter(damage));
  else damage.push_back({begin, end - begin, "holds no valid chunk"});
}

// The stretches before `end` that no chunk covers.
void add_gaps(Contents& contents, std::span<const std::uint8_t> bytes, std::uint64_t end) {
  std::uint64_t at = kContainerHeaderBytes;
  for (const ChunkRef& chunk : contents.chunks) {
    add_gap(contents.damage, bytes, at, chunk.offset - kChunkHeaderBytes);
    at = std::max(at, chunk.offset + chunk.header.stored_bytes);
  }
  add_gap(contents.damage, bytes, at, end);
}

Status check_version(const std::string& path, std::uint16_t major, std::uint16_t minor) {
  if (major <= kFormatMajor) return {};
  return Error{path,
               "has format version " + std::to_string(major) + "." + std::to_string(minor) + ", newer than " +
                   std::to_string(kFormatMajor) + "." + std::to_string(kFormatMinor),
               "use a newer tarry"};
}

// The index chunks for `chunks` and the footer, as they are behind the last chunk at `offset`.
std::vector<std::uint8_t> encode_index(std::span<const std::uint8_t> file, std::span<const ChunkRef> chunks,
                                       std::uint64_t offset) {
  constexpr std::size_t kEntriesPerChunk = kMaxChunkBytes / kIndexEntryBytes;
  ByteWriter out;
  std::size_t done = 0;
  ChunkHeader header;
  header.kind = ChunkKind::kIndex;
  header.process = 0xffffffffu;
  do {
    const std::size_t count = std::min(kEntriesPerChunk, chunks.size() - done);
    ByteWriter entries;
    for (const ChunkRef& chunk : chunks.subspan(done, count)) {
      const std::uint64_t at = chunk.offset - kChunkHeaderBytes;
      entries.u64(at);
      entries.raw(file.data() + at + kMagicBytes, kChunkHeaderBytes - kMagicBytes);
    }
    const std::vector<std::uint8_t> chunk = encode_chunk(header, entries.bytes(), 0);
    out.raw(chunk.data(), chunk.size());
    done += count;
    ++header.sequence;
  } while (done < chunks.size());
  ByteWriter footer;
  footer.raw(kFooterMagic, sizeof kFooterMagic);
  footer.u64(offset);
  footer.u32(0);
  footer.u32(crc32(footer.bytes().data(), footer.bytes().size()));
  out.raw(footer.bytes().data(), footer.bytes().size());
  return std::move(out.bytes());
}

}  // namespace

ContainerHeaderBytes encode_container_header(std::uint32_t block_bytes) {
  ContainerHeaderBytes bytes{};
  std::memcpy(bytes.data(), kContainerMagic, sizeof kContainerMagic);
  store_le<std::uint16_t>(&bytes[8], kFormatMajor);
  store_le<std::uint16_t>(&bytes[10], kFormatMinor);
  store_le<std::uint32_t>(&bytes[12], block_bytes);
  store_le<std::uint32_t>(&bytes[kContainerCrcOffset], crc32(bytes.data(), kContainerCrcOffset));
  return bytes;
}

std::uint64_t find_container_index(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kContainerHeaderBytes + kChunkHeaderBytes + kContainerFooterBytes) return 0;
  const std::uint8_t* footer = bytes.data() + bytes.size() - kContainerFooterBytes;
  if (std::memcmp(footer, kFooterMagic, sizeof kFooterMagic) != 0) return 0;
  if (load_le<std::uint32_t>(footer + kFooterCrcOffset) != crc32(footer, kFooterCrcOffset)) return 0;
  const std::uint64_t offset = load_le<std::uint64_t>(footer + 8);
  return offset >= kContainerHeaderBytes && offset <= bytes.size() - kContainerFooterBytes ? offset : 0;
}

std::vector<std::uint8_t> encode_chunk(ChunkHeader header, std::span<const std::uint8_t> raw, int level) {
  std::vector<std::uint8_t> packed;
  const bool is_packed = level > 0 && compress_chunk(raw, level, packed);
  const std::span<const std::uint8_t> stored = is_packed ? packed : raw;
  header.codec = is_packed ? ChunkCodec::kZlib : ChunkCodec::kRaw;
  header.raw_bytes = static_cast<std::uint32_t>(raw.size());
  header.stored_bytes = static_cast<std::uint32_t>(stored.size());
  header.payload_crc = crc32(stored.data(), stored.size());
  const ChunkHeaderBytes head = encode_chunk_header(header);
  std::vector<std::uint8_t> out(head.size() + stored.size());
  std::copy(head.begin(), head.end(), out.begin());
  std::copy(stored.begin(), stored.end(), out.begin() + kChunkHeaderBytes);
  return out;
}

Result<ContainerWriter> ContainerWriter::open(const std::string& path) {
  ContainerWriter writer;
  writer.path_ = path;
  TARRY_TRY_ASSIGN(file, OwnedFile::open(path, O_RDWR | O_CREAT | O_APPEND));
  writer.file_ = std::move(file);
  const FileLock lock(writer.file_);
  TARRY_TRY_ASSIGN(size, size_of(writer.file_, path));
  const ContainerHeaderBytes header = encode_container_header(0);
  if (size >= header.size()) {
    ContainerHeaderBytes there;
    if (::pread(writer.file_.descriptor(), there.data(), there.size(), 0) != static_cast<ssize_t>(there.size()))
      return Error{path, system_error(), ""};
    if (there != header) return Error{path, "exists and is no container of this version", "choose another name"};
    return writer;
  }
  // A header that is not whole has no live writer: its writer was killed.
  if (::ftruncate(writer.file_.descriptor(), 0) != 0) return Error{path, system_error(), ""};
  iovec parts[] = {part(header.data(), header.size())};
  TARRY_TRY(append_parts(writer.file_, path, parts));
  return writer;
}

Status ContainerWriter::append(ChunkHeader header, std::span<const std::uint8_t> stored) {
  header.stored_bytes = static_cast<std::uint32_t>(stored.size());
  header.payload_crc = crc32(stored.data(), stored.size());
  const ChunkHeaderBytes bytes = encode_chunk_header(header);
  iovec parts[] = {part(bytes.data(), bytes.size()), part(stored.data(), stored.size())};
  const FileLock lock(file_);
  return append_parts(file_, path_, parts);
}

Status ContainerWriter::append_encoded(std::span<const std::uint8_t> chunks) {
  iovec parts[] = {part(chunks.data(), chunks.size())};
  const FileLock lock(file_);
  return append_parts(file_, path_, parts);
}

Status seal_container(const std::string& path) {
  TARRY_TRY_ASSIGN(file, OwnedFile::open(path, O_RDWR | O_APPEND));
  const FileLock lock(file);
  TARRY_TRY_ASSIGN(container, Container::open(path));
  if (container.is_sealed()) return {};
  if (container.is_spool()) return Error{path, "is a spool and cannot be sealed", ""};
  TARRY_TRY_ASSIGN(bytes, MappedFile::open(path));
  std::vector<std::uint8_t> index = encode_index(bytes.bytes(), container.chunks(), bytes.bytes().size());
  iovec parts[] = {part(index.data(), index.size())};
  TARRY_TRY(append_parts(file, path, parts));
  if (::fsync(file.descriptor()) != 0 && errno != EINVAL) return Error{path, system_error(), ""};
  return {};
}

Result<Container> Container::open(const std::string& path) {
  Container container;
  container.path_ = path;
  TARRY_TRY_ASSIGN(file, MappedFile::open(path));
  container.file_ = std::move(file);
  const std::span<const std::uint8_t> bytes = container.file_.bytes();
  ByteReader in(bytes);
  const auto magic = in.take(sizeof kContainerMagic);
  const std::uint16_t major = in.u16(), minor = in.u16();
  const std::uint32_t block_bytes = in.u32();
  const bool has_magic =
      magic.size() == sizeof kContainerMagic && std::memcmp(magic.data(), kContainerMagic, magic.size()) == 0;
  const bool is_whole = has_magic && bytes.size() >= kContainerHeaderBytes &&
                        load_le<std::uint32_t>(&bytes[kContainerCrcOffset]) == crc32(bytes.data(), kContainerCrcOffset);
  Contents contents;
  if (is_whole) {
    TARRY_TRY(check_version(path, major, minor));
    const std::uint64_t index_offset = find_container_index(bytes);
    if (block_bytes >= kMinBlockBytes && block_bytes <= kMaxChunkBytes) {
      container.block_bytes_ = block_bytes;
      contents = walk_spool(bytes, block_bytes);
    } else if (auto index = index_offset ? read_index(bytes, index_offset) : Error{"index", "is not there", ""};
               index.ok()) {
      container.is_sealed_ = true;
      contents = std::move(*index);
      add_gaps(contents, bytes, index_offset);
    } else {
      contents = walk_packed(bytes, kContainerHeaderBytes);
    }
  } else if (const ContainerHeaderBytes blank = encode_container_header(0);
             bytes.size() < blank.size() && std::equal(bytes.begin(), bytes.end(), blank.begin())) {
    // Its first writer was killed, or had no room: there is nothing in it.
  } else {
    // Chunks carry everything needed to read them, so a damaged header costs nothing but itself.
    contents = walk_packed(bytes, find_chunk(bytes, 0));
    if (contents.chunks.empty()) return Error{path, "is not a container of tarry", ""};
    contents.damage.insert(contents.damage.begin(), {0, kContainerHeaderBytes, "is a damaged container header"});
  }
  container.chunks_ = std::move(contents.chunks);
  container.damage_ = std::move(contents.damage);
  return container;
}

std::span<const std::uint8_t> Container::stored(const ChunkRef& chunk) const {
  const auto bytes = file_.bytes();
  if (chunk.offset >= bytes.size()) return {};
  return bytes.subspan(chunk.offset, std::min<std::uint64_t>(chunk.header.stored_bytes, bytes.size() - chunk.offset));
}

Status Container::load(const ChunkRef& chunk, std::size_t padding, std::vector<std::uint8_t>& out) const {
  const auto bytes = stored(chunk);
  if (chunk.header.flags & kOpenChunk) {
    out.assign(bytes.size() + padding, 0);
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return {};
  }
  if (chunk.header.raw_bytes > kMaxInflation * bytes.size() + 64)
    return Error{"chunk", "has contradictory lengths", ""};
  const Status outcome = decode_chunk_payload(chunk.header, bytes, padding, out);
  file_.forget(bytes);  // a chunk is rarely read twice, and an archive may be larger than memory
  return outcome;
}

}  // namespace tarry
