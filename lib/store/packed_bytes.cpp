// packed_bytes.cpp -- bytes that take less room.
#include "store/packed_bytes.hpp"

#include <libdeflate.h>

#include <memory>

#include "base/bytes/bytes.hpp"
#include "base/processes/thread_owned.hpp"

namespace tarry {
namespace {

constexpr int kDeflateLevel = 1;
constexpr std::uint64_t kMostInflated = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostGrowth = 1100;  // deflate makes nothing a thousand times as short
constexpr std::size_t kWorthPacking = 64;

}  // namespace

std::vector<std::uint8_t> deflate_bytes(std::span<const std::uint8_t> bytes) {
  thread_local const ThreadOwned<std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>>
      compressor(libdeflate_alloc_compressor(kDeflateLevel), libdeflate_free_compressor);
  if (!compressor) return {};
  std::vector<std::uint8_t> packed(bytes.size());
  packed.resize(
      libdeflate_deflate_compress(compressor.get(), bytes.data(), bytes.size(), packed.data(), packed.size()));
  return packed;
}

bool inflate_bytes(std::span<const std::uint8_t> stream, std::uint64_t size, std::vector<std::uint8_t>& bytes) {
  thread_local const ThreadOwned<std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>>
      decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (size > kMostInflated || size / kMostGrowth > stream.size() || !decompressor) return false;
  bytes.resize(size);
  std::size_t written = 0;
  return libdeflate_deflate_decompress(decompressor.get(), stream.data(), stream.size(), bytes.data(), bytes.size(),
                                       &written) == LIBDEFLATE_SUCCESS &&
         written == size;
}

std::vector<std::uint8_t> pack_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return {};
  ByteWriter writer;
  const std::vector<std::uint8_t> packed =
      bytes.size() < kWorthPacking ? std::vector<std::uint8_t>() : deflate_bytes(bytes);
  writer.u8(packed.empty() ? 0 : 1);
  if (packed.empty()) {
    writer.raw(bytes.data(), bytes.size());
    return std::move(writer.bytes());
  }
  writer.varint(bytes.size());
  writer.raw(packed.data(), packed.size());
  return std::move(writer.bytes());
}

Result<std::vector<std::uint8_t>> unpack_bytes(std::span<const std::uint8_t> packed) {
  if (packed.empty()) return std::vector<std::uint8_t>();
  ByteReader reader(packed);
  const std::uint8_t form = reader.u8();
  if (form == 0) return std::vector<std::uint8_t>(packed.begin() + 1, packed.end());
  const std::uint64_t size = reader.varint();
  std::vector<std::uint8_t> bytes;
  if (form != 1 || reader.failed() || !inflate_bytes(reader.take(reader.left()), size, bytes))
    return Error{"store", "holds damaged bytes", "see 'tarry store verify'"};
  return bytes;
}

}  // namespace tarry
