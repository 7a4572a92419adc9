// value_codec.hpp -- the values of all locations as few bytes (docs/STORE.md, "Vectors").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// Appends nothing to what `bytes` holds: it is replaced. Exact: bit for bit the same numbers come back.
void encode_vector(std::span<const double> values, std::vector<std::uint8_t>& bytes);

/// Fails if the bytes are damaged. A vector of more than `most` values is not made.
Result<std::vector<double>> decode_vector(std::span<const std::uint8_t> bytes, std::size_t most = std::size_t{1} << 24);

/// The same into a row that is there; false if the bytes are damaged, or hold another number of values.
bool decode_vector_into(std::span<const std::uint8_t> bytes, std::span<double> row);

/// "[1,2.5,null]": numbers with 17 significant digits, null for what is not finite.
std::string vector_as_json(std::span<const double> values);

}  // namespace tarry
