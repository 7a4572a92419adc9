// pack.hpp -- bytes as the page holds them: packed by zlib, as base64.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tarry {

enum class PackEffort : std::uint8_t {
  kUsual,
  kQuick,  // a third of the time for a tenth more
};

/// A zlib stream, which browsers call "deflate".
std::vector<std::uint8_t> pack(std::span<const std::uint8_t> bytes, PackEffort effort = PackEffort::kUsual);

std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace tarry
