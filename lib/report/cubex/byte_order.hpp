// byte_order.hpp -- integers of a report, written on a machine of either byte order.
#pragma once

#include <cstdint>

#include "base/bytes/bytes.hpp"

namespace tarry {

/// Loads an unsigned integer from unaligned bytes.
template <class T>
T load_ordered(const std::uint8_t* at, bool is_big_endian) {
  const T value = load_le<T>(at);
  if (!is_big_endian) return value;
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  return value;
}

}  // namespace tarry
