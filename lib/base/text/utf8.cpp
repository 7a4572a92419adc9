// utf8.cpp -- names of programs as UTF-8.
#include "base/text/utf8.hpp"

#include <algorithm>

namespace tarry {

Utf8Character utf8_character(std::string_view text) {
  static constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // that a sequence of a length may tell
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (length == 0 || length > text.size()) return {};
  std::uint32_t code = length == 1 ? first : first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if (next >> 6 != 2) return {};
    code = code << 6 | (next & 0x3f);
  }
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || is_surrogate) return {};
  return {length, code};
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_character(text.substr(at)).length;
    if (length > 0) out.append(text, at, length);
    else out.push_back('?');
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (is_surrogate || code >= 0x110000) {
    text += '?';
  } else if (code < 0x80) {
    text += static_cast<char>(code);
  } else {
    const int further = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes behind the first, with six bits each
    constexpr unsigned kFirst[] = {0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(kFirst[further] | code >> (6 * further));
    for (int i = further - 1; i >= 0; --i) text += static_cast<char>(0x80 | (code >> (6 * i) & 0x3f));
  }
}

}  // namespace tarry
