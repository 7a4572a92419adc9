// cubex_tar.cpp -- the container of a report.
#include "report/cubex/cubex_tar.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/bytes/bytes.hpp"
#include "base/arrays/round_up.hpp"

namespace tarry {
namespace {

constexpr std::size_t kNameAt = 0, kNameSize = 100, kSizeAt = 124, kSizeSize = 12, kChecksumAt = 148, kChecksumSize = 8,
                      kTypeAt = 156, kMagicAt = 257;
constexpr std::string_view kMagic = "ustar";

// From this size on, the size field is too small and an extended header holds it.
constexpr std::uint64_t kHugeSize = 0x1ffffffffull;

std::uint64_t parse_octal(const std::uint8_t* field, std::size_t size) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  while (i < size && field[i] == ' ') ++i;
  for (; i < size && field[i] >= '0' && field[i] <= '7'; ++i) value = value * 8 + (field[i] - '0');
  return value;
}

std::uint64_t checksum_of(const std::uint8_t* header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i)
    sum += i >= kChecksumAt && i < kChecksumAt + kChecksumSize ? ' ' : header[i];
  return sum;
}

bool is_header(const std::uint8_t* block) {
  return std::memcmp(block + kMagicAt, kMagic.data(), kMagic.size()) == 0 &&
         parse_octal(block + kChecksumAt, kChecksumSize) == checksum_of(block);
}

// The value of the record "NN size=DDD\n" in an extended header.
std::optional<std::uint64_t> find_extended_size(std::string_view records) {
  const std::size_t key = records.find(" size=");
  if (key == records.npos) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = records.data() + records.size();
  if (std::from_chars(records.data() + key + 6, end, value).ec != std::errc()) return std::nullopt;
  return value;
}

// Length of compressed data according to its own table: some writers put a wrong size into the header. The byte order
// is not known here; the smaller number of entries is the right one.
std::optional<std::uint64_t> compressed_size(std::span<const std::uint8_t> data) {
  constexpr std::string_view kCompressed = "ZCUBEX.DATA";
  constexpr std::uint64_t kHead = 19, kEntry = 24;
  if (data.size() < kHead || std::memcmp(data.data(), kCompressed.data(), kCompressed.size()) != 0) return std::nullopt;
  const auto swapped = [](std::uint64_t value) { return __builtin_bswap64(value); };
  const std::uint64_t little = load_le<std::uint64_t>(data.data() + kCompressed.size());
  const bool is_little = little <= swapped(little);
  const std::uint64_t count = is_little ? little : swapped(little);
  if (count > (data.size() - kHead) / kEntry) return std::nullopt;
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint8_t* entry = data.data() + kHead + kEntry * i;
    std::uint64_t start = load_le<std::uint64_t>(entry + 8), length = load_le<std::uint64_t>(entry + 16);
    if (!is_little) start = swapped(start), length = swapped(length);
    if (start > data.size() || length > data.size()) return std::nullopt;
    end = std::max(end, start + length);
  }
  const std::uint64_t size = kHead + kEntry * count + end;
  return size <= data.size() ? std::optional(size) : std::nullopt;
}

// Walks from header to header.
class TarWalk {
 public:
  explicit TarWalk(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  TarDirectory run() {
    while (bytes_.size() - at_ >= kTarBlock) {
      const std::uint8_t* block = bytes_.data() + at_;
      at_ += kTarBlock;
      if (is_header(block)) take_member(block);
    }
    return std::move(members_);
  }

 private:
  void take_member(const std::uint8_t* header) {
    const auto rest = bytes_.subspan(at_);
    std::uint64_t size = extended_size_.value_or(parse_octal(header + kSizeAt, kSizeSize));
    extended_size_.reset();
    const char type = static_cast<char>(header[kTypeAt]);
    if (const auto own = compressed_size(rest)) size = *own;
    const std::uint64_t there = std::min<std::uint64_t>(size, rest.size());
    if (type == 'x') {
      const char* records = reinterpret_cast<const char*>(rest.data());
      extended_size_ = find_extended_size({records, static_cast<std::size_t>(there)});
    } else if (type == '0' || type == '\0') {
      const char* name = reinterpret_cast<const char*>(header + kNameAt);
      members_[std::string(name, strnlen(name, kNameSize))] = {at_, there, there < size};
    }
    at_ += std::min<std::uint64_t>(round_up(there, kTarBlock), rest.size());
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::optional<std::uint64_t> extended_size_;
  TarDirectory members_;
};

void put(std::string& header, std::size_t at, std::string_view text) { header.replace(at, text.size(), text); }

std::string octal(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(value));
  return text + std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(std::strlen(text)) - digits);
}

std::string header_block(std::string_view name, std::uint64_t size, char type) {
  std::string header(kTarBlock, '\0');
  put(header, kNameAt, name.substr(0, kMaxTarName));
  put(header, 100, "0000600");
  put(header, 108, "0000000");
  put(header, 116, "0000000");
  put(header, kSizeAt, octal(size, 11));
  put(header, 136, "00000000000");
  header[kTypeAt] = type;
  put(header, kMagicAt, kMagic);
  put(header, 263, "00");
  put(header, 265, "nouser");
  put(header, 297, "users");
  put(header, kChecksumAt, octal(checksum_of(reinterpret_cast<const std::uint8_t*>(header.data())), 6));
  header[kChecksumAt + 7] = ' ';
  return header;
}

}  // namespace

Status check_is_tar(std::span<const std::uint8_t> bytes, const std::string& path) {
  if (bytes.size() >= kTarBlock && std::memcmp(bytes.data() + kMagicAt, kMagic.data(), kMagic.size()) == 0) return {};
  return Error{path, "is no tar archive, so it is not a report", "name a .cubex file"};
}

Result<TarDirectory> read_tar_directory(std::span<const std::uint8_t> bytes, const std::string& path) {
  TARRY_TRY(check_is_tar(bytes, path));
  return TarWalk(bytes).run();
}

std::string tar_header(const std::string& name, std::uint64_t size) {
  if (size < kHugeSize) return header_block(name, size, '0');
  // The record counts its own length, two digits; sizes here have 10 to 20 digits, so it always has two.
  const std::string value = " size=" + std::to_string(size) + "\n";
  const std::string record = std::to_string(value.size() + 2) + value;
  std::string header = header_block("PaxHeader/" + name, record.size(), 'x') + record;
  header.append(tar_padding(record.size()), '\0');
  return header + header_block(name, size, '0');
}

std::size_t tar_padding(std::uint64_t size) {
  return static_cast<std::size_t>((kTarBlock - size % kTarBlock) % kTarBlock);
}

std::size_t tar_filler(std::uint64_t size) { return size > 0 && size % kTarBlock == 0 ? 1 : 0; }

}  // namespace tarry
