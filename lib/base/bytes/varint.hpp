// varint.hpp -- LEB128 variable-length integers and the zigzag map for signed ones.
#pragma once

#include <bit>
#include <cstdint>

namespace tarry {

/// Longest encoding of a 64-bit value, in bytes.
inline constexpr int kMaxVarintBytes = 10;

/// What `value` takes: seven bits a byte, rounded up, without a division.
constexpr std::uint64_t varint_bytes(std::uint64_t value) {
  return (9 * static_cast<std::uint32_t>(std::bit_width(value | 1)) + 64) / 64;
}

/// Writes `value` at `out` (room for kMaxVarintBytes) and returns the first byte after it.
inline std::uint8_t* encode_varint(std::uint8_t* out, std::uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<std::uint8_t>(value) | 0x80;
    value >>= 7;
  }
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

/// Reads one value from [at, end). Returns the first byte after it. Returns nullptr if the bytes end early or the value
/// needs more than 64 bits. It also does so for a form that is not the shortest (a torn record ends in a zero byte).
inline const std::uint8_t* decode_varint(const std::uint8_t* at, const std::uint8_t* end, std::uint64_t& value) {
  std::uint64_t sum = 0;
  for (int shift = 0; at != end && shift < 70; shift += 7) {
    const std::uint8_t byte = *at++;
    if (shift == 63 && byte > 1) return nullptr;
    sum |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte == 0 && shift > 0) return nullptr;
      value = sum;
      return at;
    }
  }
  return nullptr;
}

/// Maps small negative and positive values to small unsigned ones.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace tarry
