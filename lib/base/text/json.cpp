// json.cpp -- JSON text, written member by member.
#include "base/text/json.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/text/printable.hpp"
#include "base/text/text.hpp"
#include "base/text/utf8.hpp"

namespace tarry {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  const std::string valid = valid_utf8(text);
  for (std::size_t at = 0; at < valid.size();) {
    const Utf8Character next = utf8_character(std::string_view(valid).substr(at));
    if (valid[at] == '"' || valid[at] == '\\') out.push_back('\\');
    if (is_unprintable(next.code)) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(next.code));
      out += code;
    } else {
      out.append(valid, at, next.length);
    }
    at += next.length;
  }
  return out + "\"";
}

void JsonWriter::begin_line() {
  text_.push_back('\n');
  for (const Level& level : levels_)
    if (level.layout == Layout::kLines) text_ += "  ";
}

// What is in front of the next name, or of a value without one.
void JsonWriter::begin_value() {
  if (std::exchange(has_name_, false) || levels_.empty()) return;
  Level& level = levels_.back();
  if (!std::exchange(level.is_empty, false)) text_ += level.layout == Layout::kLines ? "," : ", ";
  if (level.layout == Layout::kLines) begin_line();
}

JsonWriter& JsonWriter::begin(char opening, Layout layout) {
  begin_value();
  text_.push_back(opening);
  levels_.push_back({opening == '{' ? '}' : ']', layout, true});
  return *this;
}

JsonWriter& JsonWriter::end() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::kLines && !level.is_empty) begin_line();
  text_.push_back(level.closing);
  if (levels_.empty()) text_.push_back('\n');
  return *this;
}

JsonWriter& JsonWriter::name(std::string_view name) {
  begin_value();
  text_ += json_string(name) + ": ";
  has_name_ = true;
  return *this;
}

JsonWriter& JsonWriter::add(std::string_view text) { return add_plain(json_string(text)); }

JsonWriter& JsonWriter::add(double number) {
  return std::isfinite(number) ? add_plain(exact_number(number)) : add_null();
}

JsonWriter& JsonWriter::add_plain(std::string_view value) {
  begin_value();
  text_ += value;
  return *this;
}

}  // namespace tarry
