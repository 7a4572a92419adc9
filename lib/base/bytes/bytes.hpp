// bytes.hpp -- bounds-checked reading and growing writing of little-endian bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes/varint.hpp"

namespace tarry {

/// Loads an unsigned integer from unaligned little-endian bytes.
template <class T>
T load_le(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::endian::native == std::endian::big && sizeof(T) > 1) {
    T swapped = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) swapped = static_cast<T>((swapped << 8) | ((value >> (8 * i)) & 0xff));
    value = swapped;
  }
  return value;
}

/// Stores an unsigned integer as unaligned little-endian bytes; with one store where the machine has that order.
template <class T>
void store_le(void* at, T value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(at, &value, sizeof value);
  } else {
    auto* bytes = static_cast<std::uint8_t*>(at);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

/// Reads fields in sequence. The first read beyond the end makes the reader fail, and from then on it returns zeros. So
/// a decoder may read a whole record and ask `failed()` once.
class ByteReader {
 public:
  ByteReader(const void* data, std::size_t size) : at_(static_cast<const std::uint8_t*>(data)), end_(at_ + size) {}
  explicit ByteReader(std::span<const std::uint8_t> bytes) : ByteReader(bytes.data(), bytes.size()) {}

  bool failed() const { return failed_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::uint8_t* position() const { return at_; }

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint16_t u16() { return fixed<std::uint16_t>(); }
  std::uint32_t u32() { return fixed<std::uint32_t>(); }
  std::uint64_t u64() { return fixed<std::uint64_t>(); }
  double f64() { return std::bit_cast<double>(u64()); }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    const std::uint8_t* next = failed_ ? nullptr : decode_varint(at_, end_, value);
    if (!next) return fail();
    at_ = next;
    return value;
  }

  /// A varint that must fit into 32 bits.
  std::uint32_t varint32() {
    const std::uint64_t value = varint();
    return value > 0xffffffffu ? static_cast<std::uint32_t>(fail()) : static_cast<std::uint32_t>(value);
  }

  /// `size` raw bytes; empty on failure.
  std::span<const std::uint8_t> take(std::uint64_t size) {
    if (failed_ || size > left()) {
      fail();
      return {};
    }
    std::span<const std::uint8_t> bytes(at_, static_cast<std::size_t>(size));
    at_ += size;
    return bytes;
  }

  /// A string: varint length, then the bytes.
  std::string_view text() {
    const auto bytes = take(varint());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::uint64_t fail() {
    failed_ = true;
    at_ = end_;
    return 0;
  }

 private:
  template <class T>
  T fixed() {
    if (failed_ || left() < sizeof(T)) return static_cast<T>(fail());
    T value = load_le<T>(at_);
    at_ += sizeof(T);
    return value;
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool failed_ = false;
};

/// Appends fields to a byte vector it owns.
class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u16(std::uint16_t value) { fixed(value); }
  void u32(std::uint32_t value) { fixed(value); }
  void u64(std::uint64_t value) { fixed(value); }
  void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }

  void varint(std::uint64_t value) {
    std::uint8_t buffer[kMaxVarintBytes];
    raw(buffer, static_cast<std::size_t>(encode_varint(buffer, value) - buffer));
  }

  void text(std::string_view string) {
    varint(string.size());
    raw(string.data(), string.size());
  }

  void raw(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  std::vector<std::uint8_t>& bytes() { return bytes_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  template <class T>
  void fixed(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    store_le(bytes_.data() + at, value);
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace tarry
