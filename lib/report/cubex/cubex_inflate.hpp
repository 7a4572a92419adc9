// cubex_inflate.hpp -- inflates compressed parts of a report, within bounds.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"

namespace tarry {

/// No deflate stream grows by more than this: what claims more lies.
inline constexpr std::uint64_t kMaxInflation = 1032;

/// True if the bytes begin like gzip data.
bool is_gzip(std::span<const std::uint8_t> bytes);

/// Inflates gzip data to text of at most `limit` bytes; `what` names it in errors.
Result<std::string> inflate_gzip(std::span<const std::uint8_t> bytes, std::uint64_t limit, const std::string& what);

/// Inflates one zlib stream that must fill `out` exactly.
bool inflate_exactly(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> out);

}  // namespace tarry
