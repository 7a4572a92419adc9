// cubex_values.hpp -- the stored rows of one metric: its index and data members.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// What index and uncompressed data begin with, and the layout that lists the rows it stores (docs/CUBEX.md).
inline constexpr std::string_view kIndexMagic = "CUBEX.INDEX", kPlainMagic = "CUBEX.DATA";
inline constexpr std::uint8_t kSparse = 1;

struct ValueMembers {
  std::span<const std::uint8_t> index;
  std::span<const std::uint8_t> data;
};

/// The rows that two members hold, each reachable by itself: sparse and dense, plain and compressed, in both byte
/// orders. Refers to the bytes of the members, which must outlive it; needs no memory of its own.
class StoredRows {
 public:
  /// Looks at index and tables; rows are of `row_bytes` bytes and have numbers below `row_count`. Returns what is
  /// wrong, empty if nothing is; the rows before the trouble are there.
  std::string open(const ValueMembers& members, std::size_t row_bytes, std::uint32_t row_count);

  /// How many rows there are, and the number of the k-th; numbers ascend.
  std::uint32_t count() const { return count_; }
  std::uint32_t row(std::uint32_t k) const;

  /// The k for a row's number, if it is stored.
  std::optional<std::uint32_t> find(std::uint32_t row) const;

  /// The k-th row in the byte order of the file, in place or inflated into `buffer`. Null if it is empty, or damaged:
  /// then `is_damaged` is set.
  const std::uint8_t* bytes(std::uint32_t k, std::vector<std::uint8_t>& buffer, bool& is_damaged) const;

  bool is_big_endian() const { return is_big_endian_; }

 private:
  std::string open_index(std::span<const std::uint8_t> index, std::uint32_t row_count);
  std::string open_sparse(std::span<const std::uint8_t> index, std::uint32_t row_count);
  std::string open_plain();
  std::string open_compressed();
  std::uint64_t entry(std::uint32_t k, std::size_t field) const;

  std::span<const std::uint8_t> listed_;  // row numbers; empty if dense
  std::span<const std::uint8_t> table_;   // of a compressed metric: start, start and length of each row
  std::span<const std::uint8_t> data_;    // rows or compressed streams
  std::size_t row_bytes_ = 0;
  std::uint32_t count_ = 0;
  bool is_big_endian_ = false;
  bool is_compressed_ = false;
};

}  // namespace tarry
