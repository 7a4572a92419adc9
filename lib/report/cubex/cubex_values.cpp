// cubex_values.cpp -- the stored rows of one metric.
#include "report/cubex/cubex_values.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes/bytes.hpp"
#include "report/cubex/byte_order.hpp"
#include "report/cubex/cubex_inflate.hpp"

namespace tarry {
namespace {

constexpr std::string_view kCompressedMagic = "ZCUBEX.DATA";
constexpr std::size_t kIndexHead = 18, kSparseHead = 22, kEntryBytes = 24, kStartField = 8, kLengthField = 16;
constexpr std::uint8_t kDense = 3;

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

}  // namespace

std::string StoredRows::open(const ValueMembers& members, std::size_t row_bytes, std::uint32_t row_count) {
  row_bytes_ = row_bytes;
  count_ = 0;
  if (row_bytes == 0) return "";
  const std::string trouble = open_index(members.index, row_count);
  data_ = members.data;
  is_compressed_ = starts_with(data_, kCompressedMagic);
  std::string data_trouble;
  if (is_compressed_) {
    data_trouble = open_compressed();
  } else if (starts_with(data_, kPlainMagic)) {
    data_trouble = open_plain();
  } else {
    data_trouble = "its data is no data";
    count_ = 0;
  }
  return trouble.empty() ? data_trouble : trouble;
}

std::string StoredRows::open_index(std::span<const std::uint8_t> index, std::uint32_t row_count) {
  if (index.size() < kIndexHead || !starts_with(index, kIndexMagic)) return "its index is no index";
  const std::uint32_t order = load_le<std::uint32_t>(index.data() + 11);
  is_big_endian_ = order == 0x01000000u;
  if (order != 1 && !is_big_endian_) return "its index has an unknown byte order";
  if (index[17] == kDense) {
    count_ = row_count;
    return "";
  }
  if (index[17] != kSparse) return "its index has an unknown layout";
  if (index.size() < kSparseHead) return "";  // some writers leave the count out where there is no row
  return open_sparse(index, row_count);
}

std::string StoredRows::open_sparse(std::span<const std::uint8_t> index, std::uint32_t row_count) {
  const std::uint32_t listed = load_ordered<std::uint32_t>(index.data() + kIndexHead, is_big_endian_);
  listed_ = index.subspan(kSparseHead);
  const auto there = static_cast<std::uint32_t>(std::min<std::uint64_t>(listed, listed_.size() / 4));
  for (; count_ < there; ++count_) {
    if (row(count_) >= row_count) return "its index names a call path that does not exist";
    if (count_ && row(count_) <= row(count_ - 1)) return "its index is not ascending";
  }
  return there < listed ? "its index is shorter than its header claims" : "";
}

std::string StoredRows::open_plain() {
  data_ = data_.subspan(kPlainMagic.size());
  const std::uint32_t wanted = count_;
  count_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, data_.size() / row_bytes_));
  // One byte may fill up; any other misfit means that type or number of locations are not what was written.
  const std::size_t spare = data_.size() % row_bytes_;
  if (spare > 1 && data_.size() != row_bytes_ * std::size_t{wanted})
    return "the size of its data does not fit the number of locations";
  return count_ < wanted && count_ > 0 ? "its data ends early" : "";
}

std::string StoredRows::open_compressed() {
  const std::size_t head = kCompressedMagic.size() + 8;
  const std::uint32_t wanted = count_;
  count_ = 0;
  if (data_.size() < head) return "its data ends early";
  const auto entries = load_ordered<std::uint64_t>(data_.data() + kCompressedMagic.size(), is_big_endian_);
  if (entries > (data_.size() - head) / kEntryBytes) return "its data ends early";
  table_ = data_.subspan(head, kEntryBytes * entries);
  data_ = data_.subspan(head + kEntryBytes * entries);
  std::uint64_t used = 0;
  for (; count_ < std::min<std::uint64_t>(wanted, entries); ++count_) {
    const std::uint64_t start = entry(count_, kStartField), length = entry(count_, kLengthField);
    if (length == 0) continue;
    if (start > data_.size() || length > data_.size() - start) return "a compressed row lies outside its data";
    // Streams that overlap, or claim to grow more than deflate can, would make a small file fill the memory.
    used += length;
    if (used > data_.size() || row_bytes_ > length * kMaxInflation) return "its compressed rows are too short";
  }
  return "";
}

std::uint64_t StoredRows::entry(std::uint32_t k, std::size_t field) const {
  return load_ordered<std::uint64_t>(table_.data() + kEntryBytes * std::size_t{k} + field, is_big_endian_);
}

std::uint32_t StoredRows::row(std::uint32_t k) const {
  return listed_.empty() ? k : load_ordered<std::uint32_t>(listed_.data() + 4 * std::size_t{k}, is_big_endian_);
}

std::optional<std::uint32_t> StoredRows::find(std::uint32_t number) const {
  std::uint32_t low = 0, high = count_;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    (row(middle) < number ? low : high) = row(middle) < number ? middle + 1 : middle;
  }
  if (low == count_ || row(low) != number) return std::nullopt;
  return low;
}

const std::uint8_t* StoredRows::bytes(std::uint32_t k, std::vector<std::uint8_t>& buffer, bool& is_damaged) const {
  if (!is_compressed_) return data_.data() + row_bytes_ * k;
  const std::uint64_t length = entry(k, kLengthField);
  if (length == 0) return nullptr;
  buffer.resize(row_bytes_);
  if (inflate_exactly(data_.subspan(entry(k, kStartField), length), buffer)) return buffer.data();
  is_damaged = true;
  return nullptr;
}

}  // namespace tarry
