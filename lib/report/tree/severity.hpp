// severity.hpp -- the values of one metric: sparse rows, one per call path, over all locations.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "report/cubex/value_type.hpp"

namespace tarry {

/// Rows of one metric. A row that was never asked for takes 4 bytes, or none. Rows stay where they are until the end.
class Severity {
 public:
  /// `locations` is the number of columns; it is fixed from here on.
  Severity(ValueFormat format, std::size_t locations);

  /// The row of a call path, created neutral if there is none.
  std::span<double> row(std::uint32_t path);

  /// Takes over a row that there is not yet; a short one is copied.
  void put_row(std::uint32_t path, std::unique_ptr<double[]> row);

  /// The row if there is one, else empty.
  std::span<const double> find_row(std::uint32_t path) const;

  std::size_t row_count() const { return used_; }

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffffu;

  void make_slot(std::uint32_t path);

  double* at(std::uint32_t slot) const {
    const std::uint32_t first = slot >> block_shift_ << block_shift_;  // of its block
    return blocks_[slot >> block_shift_].get() + (slot - first) * row_length_;
  }

  ValueFormat format_;
  std::size_t row_length_;
  unsigned block_shift_ = 0;  // 2^block_shift_ rows share a block
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> slots_;  // [call path]
  std::vector<std::unique_ptr<double[]>> blocks_;
};

}  // namespace tarry
