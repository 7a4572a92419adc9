// utf8.hpp -- names of programs as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tarry {

struct Utf8Character {
  std::size_t length = 0;  // in bytes; 0: no valid UTF-8
  std::uint32_t code = 0;
};

/// The character that `text`, which is not empty, begins with.
Utf8Character utf8_character(std::string_view text);

/// Appends a character by its code; what is none (a surrogate, or too large) becomes '?'.
void append_utf8(std::string& text, std::uint32_t code);

/// The text with every byte that is not part of valid UTF-8 as '?'.
std::string valid_utf8(std::string_view text);

}  // namespace tarry
