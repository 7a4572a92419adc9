// text.cpp -- text as machines read it: exact numbers, lists, paths; words compared.
#include "base/text/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace tarry {

std::string exact_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void append_path_name(std::string& path, std::string_view name) {
  for (const char c : name) {
    if (c == '/' || c == '\\') path.push_back('\\');
    path.push_back(c);
  }
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) plain.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  while (plain.ends_with('_')) plain.pop_back();
  return plain;
}

}  // namespace tarry
