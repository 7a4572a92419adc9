// pack.cpp -- bytes as the page holds them: packed by zlib, as base64.
#include "page/pack.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>

namespace tarry {
namespace {

// Higher levels take twice the time and more for some percent.
constexpr int kPackLevel = 6, kQuickLevel = 1;
constexpr char kBase64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};
using Compressor = std::unique_ptr<libdeflate_compressor, FreeCompressor>;

// Many blocks are small: each thread makes one for all of its own.
libdeflate_compressor* compressor_of(PackEffort effort) {
  thread_local Compressor usual, quick;
  Compressor& compressor = effort == PackEffort::kQuick ? quick : usual;
  if (!compressor)
    compressor.reset(libdeflate_alloc_compressor(effort == PackEffort::kQuick ? kQuickLevel : kPackLevel));
  if (!compressor) throw std::bad_alloc();
  return compressor.get();
}

}  // namespace

std::vector<std::uint8_t> pack(std::span<const std::uint8_t> bytes, PackEffort effort) {
  libdeflate_compressor* const compressor = compressor_of(effort);
  std::vector<std::uint8_t> packed(libdeflate_zlib_compress_bound(compressor, bytes.size()));
  packed.resize(libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
  packed.shrink_to_fit();
  return packed;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* digit = text.data();
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) {
    const std::uint32_t group = std::uint32_t{bytes[at]} << 16 | std::uint32_t{bytes[at + 1]} << 8 | bytes[at + 2];
    for (int shift = 18; shift >= 0; shift -= 6) *digit++ = kBase64Digits[group >> shift & 63];
  }
  if (const std::size_t rest = bytes.size() - at; rest > 0) {
    std::uint32_t group = std::uint32_t{bytes[at]} << 16;
    if (rest == 2) group |= std::uint32_t{bytes[at + 1]} << 8;
    for (std::size_t i = 0; i <= rest; ++i) *digit++ = kBase64Digits[group >> (18 - 6 * i) & 63];
  }
  return text;
}

}  // namespace tarry
