// cubex_values.cpp -- decodes the values of one metric.
#include "report/cubex_values.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "report/byte_order.hpp"
#include "report/cubex_inflate.hpp"

namespace tarry {
namespace {

constexpr std::string_view kCompressedMagic = "ZCUBEX.DATA";
constexpr std::size_t kIndexHead = 18, kSparseHead = 22;
constexpr std::uint8_t kDense = 3;

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// Which rows are stored, in the order of the data.
class RowList {
 public:
  // Returns what is wrong with the index; rows before the trouble count.
  std::string read(std::span<const std::uint8_t> index, std::uint32_t row_count) {
    if (index.size() < kIndexHead || !starts_with(index, kIndexMagic)) return "its index is no index";
    const std::uint32_t order = load_le<std::uint32_t>(index.data() + 11);
    is_big_endian_ = order == 0x01000000u;
    if (order != 1 && !is_big_endian_) return "its index has an unknown byte order";
    row_count_ = row_count;
    if (index[17] == kDense) {
      stored_ = row_count;
      return "";
    }
    if (index[17] != kSparse) return "its index has an unknown layout";
    if (index.size() < kSparseHead) return "";  // some writers leave the count out where there is no row
    return read_sparse(index);
  }

  std::uint32_t stored() const { return stored_; }
  std::uint32_t row(std::uint32_t k) const {
    return listed_.empty() ? k : load_ordered<std::uint32_t>(listed_.data() + 4 * std::size_t{k}, is_big_endian_);
  }
  bool is_big_endian() const { return is_big_endian_; }

 private:
  std::string read_sparse(std::span<const std::uint8_t> index) {
    const std::uint32_t count = load_ordered<std::uint32_t>(index.data() + kIndexHead, is_big_endian_);
    listed_ = index.subspan(kSparseHead);
    const auto there = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, listed_.size() / 4));
    for (; stored_ < there; ++stored_) {
      if (row(stored_) >= row_count_) return "its index names a call path that does not exist";
      if (stored_ && row(stored_) <= row(stored_ - 1)) return "its index is not ascending";
    }
    return there < count ? "its index is shorter than it says" : "";
  }

  std::span<const std::uint8_t> listed_;
  std::uint32_t stored_ = 0;
  std::uint32_t row_count_ = 0;
  bool is_big_endian_ = false;
};

std::string decode_plain(const RowList& rows, std::span<const std::uint8_t> data, std::size_t row_bytes,
                         const RowHandler& handle) {
  data = data.subspan(kPlainMagic.size());
  const auto there = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows.stored(), data.size() / row_bytes));
  for (std::uint32_t k = 0; k < there; ++k)
    handle(rows.row(k), data.data() + row_bytes * k, rows.is_big_endian());
  // One byte may fill up; what else does not fit says that type or number of locations are not what was written.
  const std::size_t spare = data.size() % row_bytes;
  if (spare > 1 && data.size() != row_bytes * std::size_t{rows.stored()})
    return "the size of its data does not fit the number of locations";
  return there < rows.stored() && there > 0 ? "its data ends early" : "";
}

std::string decode_compressed(const RowList& rows, std::span<const std::uint8_t> data, std::size_t row_bytes,
                              const RowHandler& handle) {
  const std::size_t head = kCompressedMagic.size() + 8;
  if (data.size() < head) return "its data ends early";
  const auto number_at = [&rows](std::span<const std::uint8_t> bytes, std::size_t place) {
    return load_ordered<std::uint64_t>(bytes.data() + place, rows.is_big_endian());
  };
  const std::uint64_t entries = number_at(data, kCompressedMagic.size());
  if (entries > (data.size() - head) / 24) return "its data ends early";
  const auto table = data.subspan(head, 24 * entries);
  const auto area = data.subspan(head + 24 * entries);
  std::vector<std::uint8_t> row;
  std::uint64_t used = 0;
  for (std::uint32_t k = 0; k < std::min<std::uint64_t>(rows.stored(), entries); ++k) {
    const std::uint64_t start = number_at(table, 24 * std::size_t{k} + 8);
    const std::uint64_t length = number_at(table, 24 * std::size_t{k} + 16);
    if (length == 0) continue;
    if (start > area.size() || length > area.size() - start) return "a compressed row lies outside its data";
    // Streams that overlap, or claim to grow more than deflate can, would make a small file fill the memory.
    used += length;
    if (used > area.size() || row_bytes > length * kMaxInflation) return "its compressed rows are too short";
    row.resize(row_bytes);
    if (!inflate_exactly(area.subspan(start, length), row)) return "a compressed row is damaged";
    handle(rows.row(k), row.data(), rows.is_big_endian());
  }
  return "";
}

}  // namespace

std::string decode_rows(const ValueMembers& members, std::size_t row_bytes, std::uint32_t row_count,
                        const RowHandler& handle) {
  if (row_bytes == 0) return "";
  RowList rows;
  const std::string trouble = rows.read(members.index, row_count);
  std::string data_trouble;
  if (starts_with(members.data, kPlainMagic)) {
    data_trouble = decode_plain(rows, members.data, row_bytes, handle);
  } else if (starts_with(members.data, kCompressedMagic)) {
    data_trouble = decode_compressed(rows, members.data, row_bytes, handle);
  } else {
    data_trouble = "its data is no data";
  }
  return trouble.empty() ? data_trouble : trouble;
}

}  // namespace tarry
