// printable.cpp -- text for people: names from files reach a terminal only as characters that it shows.
#include "base/text/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/text/utf8.hpp"

namespace tarry {
namespace {

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f; }

struct CodeRange {
  std::uint32_t first, last;
};

// Controls; marks, embeddings and isolates of direction; line and paragraph separator; byte order mark.
constexpr CodeRange kUnprintable[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},  {0x200e, 0x200f},
                                      {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}};

void append_escape(std::string& out, const char* format, std::uint32_t code) {
  char escape[16];
  std::snprintf(escape, sizeof escape, format, static_cast<unsigned>(code));
  out += escape;
}

}  // namespace

bool is_unprintable(std::uint32_t code) {
  return std::any_of(std::begin(kUnprintable), std::end(kUnprintable),
                     [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

std::string printable(std::string_view text) {
  const auto first = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
  std::string out(text.substr(0, first));
  for (std::size_t at = first; at < text.size();) {
    const Utf8Character next = utf8_character(text.substr(at));
    if (next.length == 0 || next.code < 0x20 || next.code == 0x7f)
      append_escape(out, "\\x%02x", static_cast<unsigned char>(text[at]));
    else if (is_unprintable(next.code)) append_escape(out, "\\u%04x", next.code);
    else out.append(text, at, next.length);
    at += std::max<std::size_t>(next.length, 1);
  }
  return out;
}

void add_line(std::string& text, std::string_view line) { text.append(printable(line)).push_back('\n'); }

void print_line(std::string_view line) {
  std::string text;
  add_line(text, line);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace tarry
