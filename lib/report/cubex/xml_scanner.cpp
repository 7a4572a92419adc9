// xml_scanner.cpp -- walks through an XML text element by element.
#include "report/cubex/xml_scanner.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

namespace tarry {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool ends_name(char c) { return is_space(c) || c == '>' || c == '/' || c == '=' || c == '<'; }

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  const int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr std::uint8_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
  out.push_back(static_cast<char>(kLead[tail] | (code >> (6 * tail))));
  for (int i = tail; i-- > 0;) out.push_back(static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f)));
}

// Decodes what is between '&' and ';'; false if it is no entity.
bool append_entity(std::string& out, std::string_view entity) {
  static constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed)
    if (entity == name) {
      out.push_back(character);
      return true;
    }
  if (entity.size() < 2 || entity[0] != '#') return false;
  const bool is_hex = entity[1] == 'x';
  const char* end = entity.data() + entity.size();
  std::uint32_t code = 0;
  const auto parsed = std::from_chars(entity.data() + (is_hex ? 2 : 1), end, code, is_hex ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end || code == 0 || code > 0x10ffff) return false;
  append_utf8(out, code);
  return true;
}

// Length of the UTF-8 character at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const int leading_ones = std::countl_one(byte(0));
  const std::size_t length = leading_ones == 0 ? 1 : leading_ones >= 2 && leading_ones <= 4 ? leading_ones : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) >> 6 != 2) return 0;
  static constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t code = length == 1 ? byte(0) : byte(0) & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(i) & 0x3f);
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code >= kSmallest[length] && code <= 0x10ffff && !is_surrogate ? length : 0;
}

void append_encoded(std::string& out, std::string_view character) {
  switch (character[0]) {
    case '&': out += "&amp;"; return;
    case '<': out += "&lt;"; return;
    case '>': out += "&gt;"; return;
    case '"': out += "&quot;"; return;
    case '\'': out += "&apos;"; return;
    default: break;
  }
  const bool is_control = static_cast<std::uint8_t>(character[0]) < 0x20 && character[0] != '\n';
  if (is_control || character[0] == 0x7f) {
    out.push_back(' ');
  } else {
    out += character;
  }
}

}  // namespace

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t ampersand = std::min(text.find('&', at), text.size());
    out += text.substr(at, ampersand - at);
    at = ampersand;
    if (at == text.size()) break;
    const std::size_t semicolon = text.substr(at, 12).find(';');
    if (semicolon != text.npos && append_entity(out, text.substr(at + 1, semicolon - 1))) {
      at += semicolon + 1;
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

std::string encode_xml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length) {
      append_encoded(out, text.substr(0, length));
    } else {
      out.push_back('?');
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string_view XmlScanner::attribute(std::string_view name) const {
  for (const XmlAttribute& attribute : attributes_)
    if (attribute.name == name) return attribute.value;
  return {};
}

std::string XmlScanner::error_text() const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
  return "line " + std::to_string(line) + ": " + (error_ ? error_ : "no error");
}

XmlScanner::Token XmlScanner::fail(const char* why) {
  error_ = why;
  return Token::kError;
}

void XmlScanner::skip_spaces() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

std::string_view XmlScanner::take_name() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

bool XmlScanner::skip_past(std::string_view end) {
  const std::size_t found = text_.find(end, at_);
  if (found == text_.npos) return false;
  at_ = found + end.size();
  return true;
}

XmlScanner::Token XmlScanner::next() {
  if (error_) return Token::kError;
  if (is_empty_element_) {
    is_empty_element_ = false;
    open_.pop_back();
    return Token::kClose;
  }
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest[0] != '<') {
      const std::size_t length = std::min(rest.find('<'), rest.size());
      at_ += length;
      value_ = decode_entities(rest.substr(0, length));
      return Token::kText;
    }
    if (rest.starts_with("<![CDATA[")) {
      const std::size_t begin = at_ + 9;
      if (!skip_past("]]>")) return fail("a CDATA section does not end");
      value_ = text_.substr(begin, at_ - 3 - begin);
      return Token::kText;
    }
    if (rest.starts_with("</")) return close_element();
    if (!rest.starts_with("<?") && !rest.starts_with("<!")) return open_element();
    if (!skip_past(rest.starts_with("<!--") ? "-->" : rest.starts_with("<?") ? "?>" : ">"))
      return fail("a comment or instruction does not end");
  }
  return open_.empty() ? Token::kEnd : fail("the text ends inside an element");
}

XmlScanner::Token XmlScanner::close_element() {
  at_ += 2;
  name_ = take_name();
  skip_spaces();
  if (at_ >= text_.size() || text_[at_] != '>') return fail("a closing tag does not end");
  ++at_;
  if (open_.empty() || open_.back() != name_) return fail("a closing tag fits no opening one");
  open_.pop_back();
  return Token::kClose;
}

XmlScanner::Token XmlScanner::open_element() {
  ++at_;
  name_ = take_name();
  if (name_.empty()) return fail("a '<' begins no element");
  attributes_.clear();
  for (;;) {
    skip_spaces();
    const std::string_view rest = text_.substr(std::min(at_, text_.size()));
    is_empty_element_ = rest.starts_with("/>");
    if (is_empty_element_ || rest.starts_with(">")) break;
    if (!read_attribute()) return fail("an attribute is malformed");
  }
  at_ += is_empty_element_ ? 2 : 1;
  open_.push_back(name_);
  return Token::kOpen;
}

bool XmlScanner::read_attribute() {
  const std::string_view name = take_name();
  skip_spaces();
  if (name.empty() || at_ >= text_.size() || text_[at_] != '=') return false;
  ++at_;
  skip_spaces();
  if (at_ >= text_.size()) return false;
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'') {
    attributes_.push_back({name, decode_entities(take_name())});
    return true;
  }
  const std::size_t begin = ++at_;
  const std::size_t end = text_.find(quote, begin);
  if (end == text_.npos) return false;
  attributes_.push_back({name, decode_entities(text_.substr(begin, end - begin))});
  at_ = end + 1;
  return true;
}

}  // namespace tarry
