// pack.cpp -- bytes as the page holds them: packed by zlib, as base64.
#include "pack.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>

namespace tarry {
namespace {

// Higher levels take twice the time and more for some percent.
constexpr int kPackLevel = 6;
constexpr char kBase64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::vector<std::uint8_t> pack(std::span<const std::uint8_t> bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kPackLevel), libdeflate_free_compressor);
  if (!compressor) throw std::bad_alloc();
  std::vector<std::uint8_t> packed(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  packed.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), packed.data(), packed.size()));
  packed.shrink_to_fit();
  return packed;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[at + i] : 0);
    for (std::size_t i = 0; i < 4; ++i) text.push_back(i <= count ? kBase64Digits[group >> (18 - 6 * i) & 63] : '=');
  }
  return text;
}

}  // namespace tarry
