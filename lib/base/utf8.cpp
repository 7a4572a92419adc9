// utf8.cpp -- names of programs as UTF-8.
#include "base/utf8.hpp"

#include <cstdint>

namespace tarry {

std::string valid_utf8(std::string_view text) {
  // Length of the sequence that a byte begins, the least code point it may tell.
  const auto length_of = [](unsigned char c) {
    return c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
  };
  static constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int length = length_of(first);
    std::uint32_t code = length == 1 ? first : first & (0x7fu >> length);
    bool is_valid = length > 0 && i + static_cast<std::size_t>(length) <= text.size();
    for (int k = 1; k < length && is_valid; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      is_valid = next >> 6 == 2;
      code = code << 6 | (next & 0x3f);
    }
    is_valid = is_valid && code >= kLeast[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (is_valid)
      out.append(text, i, static_cast<std::size_t>(length));
    else
      out.push_back('?');
    i += is_valid ? static_cast<std::size_t>(length) : 1;
  }
  return out;
}

}  // namespace tarry
