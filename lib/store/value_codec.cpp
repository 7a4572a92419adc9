// value_codec.cpp -- the values of all locations as few bytes.
#include "store/value_codec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bytes/bytes.hpp"
#include "base/text/json.hpp"
#include "store/packed_bytes.hpp"

namespace tarry {
namespace {

// The first byte of a vector.
enum class VectorForm : std::uint8_t {
  kConstant = 1,  // one value for all
  kWhole = 2,     // whole numbers: differences as varints
  kReal = 3,      // other numbers: what they differ in from the one before
  kDeflated = 4,  // one of these, compressed
};

constexpr double kMostWhole = 9007199254740992.0;  // 2^53
constexpr unsigned kZeroNibble = 9;                // in place of the number of bytes that are equal
constexpr std::size_t kWorthDeflating = 1024;

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

bool is_constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return bits_of(value) == bits_of(values[0]); });
}

bool is_whole(double value) {
  return std::abs(value) <= kMostWhole &&
         bits_of(static_cast<double>(static_cast<std::int64_t>(value))) == bits_of(value);
}

void encode_whole(std::span<const double> values, std::vector<std::uint8_t>& bytes) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + values.size() * kMaxVarintBytes);
  std::uint8_t* at = bytes.data() + begin;
  std::int64_t before = 0;
  for (const double value : values) {
    const auto number = static_cast<std::int64_t>(value);
    at = encode_varint(at, zigzag(number - before));
    before = number;
  }
  bytes.resize(static_cast<std::size_t>(at - bytes.data()));
}

bool decode_whole(ByteReader& reader, std::span<double> row) {
  std::int64_t number = 0;
  for (double& value : row) {
    number = static_cast<std::int64_t>(static_cast<std::uint64_t>(number) +
                                       static_cast<std::uint64_t>(unzigzag(reader.varint())));
    value = static_cast<double>(number);
  }
  return !reader.failed() && reader.left() == 0;
}

// Half a byte for each value: how many leading bytes are those of the last value that was not zero. Then the others.
void encode_real(std::span<const double> values, std::vector<std::uint8_t>& bytes) {
  const std::size_t nibbles = bytes.size();
  const std::size_t begin = nibbles + (values.size() + 1) / 2;
  bytes.resize(begin + values.size() * 8 + 8);
  std::uint8_t* at = bytes.data() + begin;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = bits_of(values[i]);
    const std::uint64_t difference = bits ^ before;
    const unsigned equal = bits == 0 ? kZeroNibble : static_cast<unsigned>(std::countl_zero(difference)) / 8;
    std::uint8_t& pair = bytes[nibbles + i / 2];
    pair = static_cast<std::uint8_t>(i % 2 ? pair | equal << 4 : equal);
    if (bits == 0) continue;
    store_le(at, difference);
    at += 8 - equal;
    before = bits;
  }
  bytes.resize(static_cast<std::size_t>(at - bytes.data()));
}

bool decode_real(ByteReader& reader, std::span<double> row) {
  const auto nibbles = reader.take((row.size() + 1) / 2);
  if (reader.failed()) return false;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const unsigned equal = nibbles[i / 2] >> (i % 2 ? 4 : 0) & 15u;
    if (equal > kZeroNibble) return false;
    row[i] = 0;
    if (equal == kZeroNibble) continue;
    const auto rest = reader.take(8 - equal);
    if (reader.failed()) return false;
    std::uint64_t difference = 0;
    for (std::size_t k = 0; k < rest.size(); ++k) difference |= std::uint64_t{rest[k]} << (8 * k);
    before ^= difference;
    row[i] = std::bit_cast<double>(before);
  }
  return reader.left() == 0;
}

// Keeps the shorter one.
void deflate_vector(std::vector<std::uint8_t>& bytes) {
  const std::vector<std::uint8_t> packed = deflate_bytes(bytes);
  ByteWriter head;
  head.u8(static_cast<std::uint8_t>(VectorForm::kDeflated));
  head.varint(bytes.size());
  if (packed.empty() || packed.size() + head.bytes().size() >= bytes.size() - bytes.size() / 16) return;
  bytes = std::move(head.bytes());
  bytes.insert(bytes.end(), packed.begin(), packed.end());
}

bool inflate_vector(ByteReader reader, std::size_t most, std::vector<std::uint8_t>& bytes) {
  const std::uint64_t size = reader.varint();
  // The longest forms take ten bytes a value.
  if (reader.failed() || size > most * 10 + 32) return false;
  return inflate_bytes(reader.take(reader.left()), size, bytes);
}

bool decode_plain(VectorForm form, ByteReader& reader, std::span<double> row) {
  switch (form) {
    case VectorForm::kConstant: {
      std::fill(row.begin(), row.end(), reader.f64());
      return !reader.failed() && reader.left() == 0;
    }
    case VectorForm::kWhole: return decode_whole(reader, row);
    case VectorForm::kReal: return decode_real(reader, row);
    case VectorForm::kDeflated: break;
  }
  return false;
}

// Hands form, reader and number of values to `use`, which returns whether it liked them.
template <class Use>
bool open_vector(std::span<const std::uint8_t> bytes, std::size_t most, const Use& use) {
  ByteReader reader(bytes);
  auto form = static_cast<VectorForm>(reader.u8());
  std::vector<std::uint8_t> inflated;
  if (form == VectorForm::kDeflated) {
    if (!inflate_vector(reader, most, inflated)) return false;
    reader = ByteReader(inflated);
    form = static_cast<VectorForm>(reader.u8());
  }
  const std::uint64_t count = reader.varint();
  // All forms but the constant have at least half a byte for each value.
  if (reader.failed() || count > most || (form != VectorForm::kConstant && count > reader.left() * 2)) return false;
  return use(form, reader, static_cast<std::size_t>(count));
}

}  // namespace

void encode_vector(std::span<const double> values, std::vector<std::uint8_t>& bytes) {
  ByteWriter writer;
  writer.bytes() = std::move(bytes);
  writer.bytes().clear();
  const bool constant = !values.empty() && is_constant(values);
  const bool whole = std::all_of(values.begin(), values.end(), is_whole);
  const VectorForm form = constant ? VectorForm::kConstant : whole ? VectorForm::kWhole : VectorForm::kReal;
  writer.u8(static_cast<std::uint8_t>(form));
  writer.varint(values.size());
  if (constant) writer.f64(values[0]);
  else if (whole) encode_whole(values, writer.bytes());
  else encode_real(values, writer.bytes());
  bytes = std::move(writer.bytes());
  if (bytes.size() >= kWorthDeflating) deflate_vector(bytes);
}

Result<std::vector<double>> decode_vector(std::span<const std::uint8_t> bytes, std::size_t most) {
  std::vector<double> values;
  const bool is_good = open_vector(bytes, most, [&](VectorForm form, ByteReader& reader, std::size_t count) {
    values.resize(count);
    return decode_plain(form, reader, values);
  });
  if (!is_good) return Error{"vector", "is damaged", "see 'tarry store verify'"};
  return values;
}

bool decode_vector_into(std::span<const std::uint8_t> bytes, std::span<double> row) {
  return open_vector(bytes, row.size(), [&](VectorForm form, ByteReader& reader, std::size_t count) {
    return count == row.size() && decode_plain(form, reader, row);
  });
}

std::string vector_as_json(std::span<const double> values) {
  JsonWriter json;
  json.begin_array();
  for (const double value : values) json.add(value);
  std::string text = json.end().take();
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace tarry
