// text.cpp -- text as machines read it: exact numbers, CSV fields, JSON strings; words compared.
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace tarry {

std::string exact_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field.push_back('"');
    field.push_back(c);
  }
  return field + "\"";
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    if (static_cast<unsigned char>(c) >= 0x20) {
      out.push_back(c);
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    }
  }
  return out + "\"";
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
