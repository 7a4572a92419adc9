// block_reader.hpp -- reads the arrays of a block as the page does.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/bytes/bytes.hpp"

namespace tarry {

class BlockReader {
 public:
  explicit BlockReader(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  std::uint32_t u32() {
    at_ += 4;
    return load_le<std::uint32_t>(bytes_.data() + at_ - 4);
  }

  std::vector<std::uint32_t> u32s(std::size_t count) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(u32());
    return values;
  }

  std::vector<double> f64s(std::size_t count) {
    align();
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i, at_ += 8)
      values.push_back(std::bit_cast<double>(load_le<std::uint64_t>(bytes_.data() + at_)));
    return values;
  }

  std::vector<double> planes(std::size_t count) {
    align();
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bits = 0;
      for (std::size_t plane = 0; plane < 8; ++plane)
        bits |= std::uint64_t{bytes_[at_ + plane * count + i]} << (8 * plane);
      values.push_back(std::bit_cast<double>(bits));
    }
    at_ += 8 * count;
    return values;
  }

  void align() { at_ = (at_ + 7) / 8 * 8; }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace tarry
