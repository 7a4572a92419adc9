// content_key.hpp -- SHA-256 of what something holds: equal things get one row in the store.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

using ContentKey = std::array<std::uint8_t, 32>;

ContentKey content_key(std::span<const std::uint8_t> bytes);

/// 64 hexadecimal digits.
std::string key_text(std::span<const std::uint8_t> key);

}  // namespace tarry
