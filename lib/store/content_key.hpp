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

/// Two hexadecimal digits for each byte.
std::string key_text(std::span<const std::uint8_t> bytes);

/// Back from there; false if the text is something else.
bool bytes_of_digits(std::string_view digits, std::vector<std::uint8_t>& bytes);

}  // namespace tarry
