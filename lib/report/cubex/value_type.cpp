// value_type.cpp -- the types a report's values are stored in.
#include "report/cubex/value_type.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>

#include "report/cubex/byte_order.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kMaxTupleSize = 1u << 16;

struct Spelling {
  std::string_view text;
  ValueType type;
};

// The first spelling of a type is the one we write.
constexpr Spelling kSpellings[] = {
    {"DOUBLE", ValueType::kDouble},
    {"FLOAT", ValueType::kDouble},
    {"UINT64", ValueType::kUint64},
    {"UNSIGNED INTEGER", ValueType::kUint64},
    {"INT64", ValueType::kInt64},
    {"INTEGER", ValueType::kInt64},
    {"SIGNED INTEGER", ValueType::kInt64},
    {"UINT32", ValueType::kUint32},
    {"UNSIGNED INT", ValueType::kUint32},
    {"INT32", ValueType::kInt32},
    {"INT", ValueType::kInt32},
    {"SIGNED INT", ValueType::kInt32},
    {"UINT16", ValueType::kUint16},
    {"UNSIGNED SHORT INT", ValueType::kUint16},
    {"INT16", ValueType::kInt16},
    {"SHORT INT", ValueType::kInt16},
    {"UINT8", ValueType::kUint8},
    {"CHAR", ValueType::kUint8},
    {"INT8", ValueType::kInt8},
    {"MINDOUBLE", ValueType::kMinDouble},
    {"MAXDOUBLE", ValueType::kMaxDouble},
    {"TAU_ATOMIC", ValueType::kTauAtomic},
    {"COMPLEX", ValueType::kComplex},
    {"RATE", ValueType::kRate},
    {"HISTOGRAM", ValueType::kHistogram},
    {"NDOUBLES", ValueType::kNDoubles},
};

bool has_tuple_size(ValueType type) { return type == ValueType::kHistogram || type == ValueType::kNDoubles; }

double load_f64(const std::uint8_t* at, bool is_big_endian) {
  return std::bit_cast<double>(load_ordered<std::uint64_t>(at, is_big_endian));
}

template <class Stored, class Bits>
void decode_integers(const std::uint8_t* bytes, bool is_big_endian, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<double>(static_cast<Stored>(load_ordered<Bits>(bytes + i * sizeof(Bits), is_big_endian)));
}

template <class Stored>
Stored nearest(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= static_cast<double>(std::numeric_limits<Stored>::min())) return std::numeric_limits<Stored>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<Stored>::max())) return std::numeric_limits<Stored>::max();
  return static_cast<Stored>(rounded);
}

template <class Stored, class Bits>
void encode_integers(const double* values, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i)
    store_le(out + i * sizeof(Bits), static_cast<Bits>(nearest<Stored>(values[i])));
}

// TAU_ATOMIC is a 32-bit count and four doubles.
void decode_tau(const std::uint8_t* bytes, bool is_big_endian, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i, bytes += 36) {
    *out++ = load_ordered<std::uint32_t>(bytes, is_big_endian);
    for (std::size_t k = 0; k < 4; ++k) *out++ = load_f64(bytes + 4 + 8 * k, is_big_endian);
  }
}

void encode_tau(const double* values, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i, out += 36) {
    store_le(out, nearest<std::uint32_t>(*values++));
    for (std::size_t k = 0; k < 4; ++k) store_le(out + 4 + 8 * k, std::bit_cast<std::uint64_t>(*values++));
  }
}

void combine_tau(std::span<double> into, std::span<const double> from) {
  into[0] += from[0];
  into[1] = std::min(into[1], from[1]);
  into[2] = std::max(into[2], from[2]);
  into[3] += from[3];
  into[4] += from[4];
}

// a/b + c/d, keeping a common denominator where there is one.
void combine_rates(std::span<double> into, std::span<const double> from) {
  if (into[1] == from[1]) {
    into[0] += from[0];
    return;
  }
  into[0] = into[0] * from[1] + from[0] * into[1];
  into[1] *= from[1];
}

}  // namespace

std::size_t ValueFormat::bytes() const {
  switch (type) {
    case ValueType::kUint32:
    case ValueType::kInt32: return 4;
    case ValueType::kUint16:
    case ValueType::kInt16: return 2;
    case ValueType::kUint8:
    case ValueType::kInt8: return 1;
    case ValueType::kTauAtomic: return 36;
    default: return 8 * components();
  }
}

std::size_t ValueFormat::components() const {
  switch (type) {
    case ValueType::kTauAtomic: return 5;
    case ValueType::kComplex:
    case ValueType::kRate: return 2;
    case ValueType::kHistogram: return std::size_t{tuple_size} + 2;
    case ValueType::kNDoubles: return tuple_size;
    default: return 1;
  }
}

std::string dtype_text(ValueFormat format) {
  const auto spelling = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                                     [&](const Spelling& known) { return known.type == format.type; });
  std::string text(spelling->text);
  if (has_tuple_size(format.type)) text += "(" + std::to_string(format.tuple_size) + ")";
  return text;
}

std::optional<ValueFormat> find_value_format(std::string_view dtype) {
  ValueFormat format;
  const std::size_t bracket = dtype.find('(');
  const auto spelling = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                                     [&](const Spelling& known) { return known.text == dtype.substr(0, bracket); });
  if (spelling == std::end(kSpellings)) return std::nullopt;
  if (has_tuple_size(spelling->type) == (bracket == dtype.npos)) return std::nullopt;
  format.type = spelling->type;
  if (bracket == dtype.npos) return format;
  const char* end = dtype.data() + dtype.size();
  const auto parsed = std::from_chars(dtype.data() + bracket + 1, end, format.tuple_size);
  if (parsed.ec != std::errc() || std::string_view(parsed.ptr, end) != ")") return std::nullopt;
  if (format.tuple_size == 0 || format.tuple_size > kMaxTupleSize) return std::nullopt;
  return format;
}

bool is_additive(ValueType type) { return type != ValueType::kMinDouble && type != ValueType::kMaxDouble; }

bool is_integer(ValueType type) { return type >= ValueType::kUint64 && type <= ValueType::kInt8; }

bool is_neutral_zero(ValueType type) {
  return is_additive(type) && type != ValueType::kTauAtomic && type != ValueType::kRate;
}

void fill_neutral(ValueFormat format, std::span<double> row) {
  switch (format.type) {
    case ValueType::kMinDouble: std::fill(row.begin(), row.end(), DBL_MAX); return;
    case ValueType::kMaxDouble: std::fill(row.begin(), row.end(), -DBL_MAX); return;
    default: std::fill(row.begin(), row.end(), 0.0);
  }
  if (format.type == ValueType::kRate)
    for (std::size_t i = 1; i < row.size(); i += 2) row[i] = 1;
  if (format.type == ValueType::kTauAtomic)
    for (std::size_t i = 0; i + 5 <= row.size(); i += 5) {
      row[i + 1] = DBL_MAX;
      row[i + 2] = -DBL_MAX;
    }
}

void combine_values(ValueFormat format, std::span<double> into, std::span<const double> from) {
  switch (format.type) {
    case ValueType::kMinDouble: into[0] = std::min(into[0], from[0]); return;
    case ValueType::kMaxDouble: into[0] = std::max(into[0], from[0]); return;
    case ValueType::kTauAtomic: combine_tau(into, from); return;
    case ValueType::kRate: combine_rates(into, from); return;
    default:
      for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
  }
}

void subtract_values(ValueFormat format, std::span<double> into, std::span<const double> from) {
  switch (format.type) {
    case ValueType::kTauAtomic:
      for (const std::size_t i : {0, 3, 4}) into[i] -= from[i];
      return;
    case ValueType::kRate: {
      const double negative[] = {-from[0], from[1]};
      return combine_rates(into, negative);
    }
    default:
      for (std::size_t i = format.type == ValueType::kHistogram ? 2 : 0; i < into.size(); ++i) into[i] -= from[i];
  }
}

void add_share(ValueFormat format, std::span<double> into, std::span<const double> from, std::size_t count) {
  const auto divisor = static_cast<double>(count);
  switch (format.type) {
    case ValueType::kTauAtomic: return combine_tau(into, from);
    case ValueType::kRate: {
      const double share[] = {from[0] / divisor, from[1]};
      return combine_rates(into, share);
    }
    default:
      for (std::size_t i = 0; i < into.size(); ++i) {
        const double share = from[i] / divisor;
        into[i] += is_integer(format.type) ? std::trunc(share) : share;
      }
  }
}

double number_of(ValueFormat format, std::span<const double> value) {
  switch (format.type) {
    case ValueType::kTauAtomic: return value[0] > 0 ? value[3] / value[0] : 0;
    case ValueType::kComplex: return std::hypot(value[0], value[1]);
    case ValueType::kRate: return value[0] / value[1];
    case ValueType::kHistogram:
    case ValueType::kNDoubles: {
      double sum = 0;
      for (std::size_t i = format.type == ValueType::kHistogram ? 2 : 0; i < value.size(); ++i) sum += value[i];
      return sum;
    }
    default: return value[0];
  }
}

bool is_neutral_number(ValueType type, double number) {
  return (type == ValueType::kMinDouble && number == DBL_MAX) || (type == ValueType::kMaxDouble && number == -DBL_MAX);
}

void decode_values(ValueFormat format, const std::uint8_t* bytes, bool big, std::size_t count, double* out) {
  switch (format.type) {
    case ValueType::kUint64: return decode_integers<std::uint64_t, std::uint64_t>(bytes, big, count, out);
    case ValueType::kInt64: return decode_integers<std::int64_t, std::uint64_t>(bytes, big, count, out);
    case ValueType::kUint32: return decode_integers<std::uint32_t, std::uint32_t>(bytes, big, count, out);
    case ValueType::kInt32: return decode_integers<std::int32_t, std::uint32_t>(bytes, big, count, out);
    case ValueType::kUint16: return decode_integers<std::uint16_t, std::uint16_t>(bytes, big, count, out);
    case ValueType::kInt16: return decode_integers<std::int16_t, std::uint16_t>(bytes, big, count, out);
    case ValueType::kUint8: return decode_integers<std::uint8_t, std::uint8_t>(bytes, big, count, out);
    case ValueType::kInt8: return decode_integers<std::int8_t, std::uint8_t>(bytes, big, count, out);
    case ValueType::kTauAtomic: return decode_tau(bytes, big, count, out);
    default:
      for (std::size_t i = 0, size = count * format.components(); i < size; ++i) out[i] = load_f64(bytes + 8 * i, big);
  }
}

void encode_values(ValueFormat format, const double* values, std::size_t count, std::uint8_t* out) {
  switch (format.type) {
    case ValueType::kUint64: return encode_integers<std::uint64_t, std::uint64_t>(values, count, out);
    case ValueType::kInt64: return encode_integers<std::int64_t, std::uint64_t>(values, count, out);
    case ValueType::kUint32: return encode_integers<std::uint32_t, std::uint32_t>(values, count, out);
    case ValueType::kInt32: return encode_integers<std::int32_t, std::uint32_t>(values, count, out);
    case ValueType::kUint16: return encode_integers<std::uint16_t, std::uint16_t>(values, count, out);
    case ValueType::kInt16: return encode_integers<std::int16_t, std::uint16_t>(values, count, out);
    case ValueType::kUint8: return encode_integers<std::uint8_t, std::uint8_t>(values, count, out);
    case ValueType::kInt8: return encode_integers<std::int8_t, std::uint8_t>(values, count, out);
    case ValueType::kTauAtomic: return encode_tau(values, count, out);
    default:
      for (std::size_t i = 0, size = count * format.components(); i < size; ++i)
        store_le(out + 8 * i, std::bit_cast<std::uint64_t>(values[i]));
  }
}

std::span<const std::uint8_t> stored_bytes(ValueFormat format, std::span<const double> values,
                                           std::vector<std::uint8_t>& buffer) {
  const bool is_as_in_memory =
      std::endian::native == std::endian::little && !is_integer(format.type) && format.type != ValueType::kTauAtomic;
  if (is_as_in_memory) return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
  const std::size_t count = values.size() / format.components();
  buffer.resize(count * format.bytes());
  encode_values(format, values.data(), count, buffer.data());
  return buffer;
}

}  // namespace tarry
