// cubex_values.hpp -- decodes the values of one metric: its index and data members.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tarry {

/// What index and uncompressed data begin with, and the layout that lists the rows it stores (docs/CUBEX.md).
inline constexpr std::string_view kIndexMagic = "CUBEX.INDEX", kPlainMagic = "CUBEX.DATA";
inline constexpr std::uint8_t kSparse = 1;

struct ValueMembers {
  std::span<const std::uint8_t> index;
  std::span<const std::uint8_t> data;
};

/// Gets each stored row: its number, and its bytes in the byte order of the file.
using RowHandler = std::function<void(std::uint32_t row, const std::uint8_t* bytes, bool is_big_endian)>;

/// Hands over the stored rows of `row_bytes` bytes each, numbers below `row_count` only, ascending. Sparse and dense,
/// plain and compressed, both byte orders. Returns what is wrong with the members, empty if nothing is; the rows that
/// could be read were handed over. Needs memory for one row.
std::string decode_rows(const ValueMembers& members, std::size_t row_bytes, std::uint32_t row_count,
                        const RowHandler& handle);

}  // namespace tarry
