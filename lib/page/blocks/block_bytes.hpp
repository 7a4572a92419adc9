// block_bytes.hpp -- arrays in a block, each at a multiple of its element's size.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes/bytes.hpp"

namespace tarry {

class BlockWriter {
 public:
  void u8(std::uint8_t value) { writer_.u8(value); }
  void u32(std::uint32_t value) { writer_.u32(value); }

  void u32s(std::span<const std::uint32_t> values) {
    for (const std::uint32_t value : values) writer_.u32(value);
  }

  void f64s(std::span<const double> values) {
    align();
    for (const double value : values) writer_.f64(value);
  }

  /// All first bytes of the numbers, then all second ones, and so on: equal exponents lie side by side, which packs
  /// better.
  void planes(std::span<const double> values) {
    align();
    std::vector<std::uint8_t>& bytes = writer_.bytes();
    const std::size_t begin = bytes.size();
    bytes.resize(begin + 8 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto bits = std::bit_cast<std::uint64_t>(values[i]);
      for (std::size_t plane = 0; plane < 8; ++plane)
        bytes[begin + plane * values.size() + i] = static_cast<std::uint8_t>(bits >> (8 * plane));
    }
  }

  /// To the next multiple of an element's size.
  void align(std::size_t size = 8) {
    while (writer_.bytes().size() % size) writer_.u8(0);
  }

  std::vector<std::uint8_t> take() { return std::move(writer_.bytes()); }

 private:
  ByteWriter writer_;
};

}  // namespace tarry
