// packed_bytes.hpp -- bytes that take less room, compressed where that helps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// A bare deflate stream; empty if it would be no shorter than what it is made of.
std::vector<std::uint8_t> deflate_bytes(std::span<const std::uint8_t> bytes);

/// Back from there; false if the stream is damaged, or does not give `size` bytes.
bool inflate_bytes(std::span<const std::uint8_t> stream, std::uint64_t size, std::vector<std::uint8_t>& bytes);

/// The same with a head of its own: empty for nothing, else a byte (0 plain, 1 deflated), and the size of the latter.
std::vector<std::uint8_t> pack_bytes(std::span<const std::uint8_t> bytes);
Result<std::vector<std::uint8_t>> unpack_bytes(std::span<const std::uint8_t> packed);

}  // namespace tarry
