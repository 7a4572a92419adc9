// value_type.hpp -- the types a report's values are stored in: names, sizes, neutral elements, arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// Types of stored values (docs/CUBEX.md, "Values"). A value of a tuple type is several numbers: its components.
enum class ValueType : std::uint8_t {
  kDouble,
  kUint64,
  kInt64,
  kUint32,
  kInt32,
  kUint16,
  kInt16,
  kUint8,
  kInt8,
  kMinDouble,
  kMaxDouble,
  kTauAtomic,
  kComplex,
  kRate,
  kHistogram,
  kNDoubles,
};

/// A type and, for histograms and n-tuples, the number of bins or members.
struct ValueFormat {
  ValueType type = ValueType::kDouble;
  std::uint32_t tuple_size = 0;

  /// Bytes of one value in a file.
  std::size_t bytes() const;

  /// Numbers one value is made of in memory: 1 unless it is a tuple.
  std::size_t components() const;
};

/// The spelling in a report ("UINT64", "HISTOGRAM(8)").
std::string dtype_text(ValueFormat format);

/// Understands all spellings, old ones too; empty if there is no such type or its size is absurd.
std::optional<ValueFormat> find_value_format(std::string_view dtype);

/// True where values of several places add up; false for minimum and maximum.
bool is_additive(ValueType type);

/// True for the types of whole numbers.
bool is_integer(ValueType type);

/// True where a missing row means zero in every component.
bool is_neutral_zero(ValueType type);

/// Sets every value of a row to the neutral element.
void fill_neutral(ValueFormat format, std::span<double> row);

/// Combines two values of the same format: sum, minimum, maximum, or as the tuple type demands.
void combine_values(ValueFormat format, std::span<double> into, std::span<const double> from);

/// Takes one value away from another: `into` - `from`. Extremes inside a tuple stay those of `into`. Not for minimum
/// and maximum types.
void subtract_values(ValueFormat format, std::span<double> into, std::span<const double> from);

/// Adds a share of 1 / `count` of a value to a mean; a share of an integer type drops its fraction.
void add_share(ValueFormat format, std::span<double> into, std::span<const double> from, std::size_t count);

/// One number for one value. It is the number itself, the mean of a TAU_ATOMIC, the magnitude of a COMPLEX or the
/// quotient of a RATE. Of the others it is the sum of their bins or members.
double number_of(ValueFormat format, std::span<const double> value);

/// True if `number` is what a minimum or maximum without contributions holds.
bool is_neutral_number(ValueType type, double number);

/// Turns stored bytes (`count` values) into numbers. `is_big_endian` is the byte order of the file.
void decode_values(ValueFormat format, const std::uint8_t* bytes, bool is_big_endian, std::size_t count, double* out);

/// Turns numbers into little-endian stored bytes. What an integer type cannot hold becomes the nearest it can.
void encode_values(ValueFormat format, const double* values, std::size_t count, std::uint8_t* out);

/// The same for a whole row, in `buffer` if the bytes differ from those in memory.
std::span<const std::uint8_t> stored_bytes(ValueFormat format, std::span<const double> values,
                                           std::vector<std::uint8_t>& buffer);

}  // namespace tarry
