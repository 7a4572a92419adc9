// xml_scanner.hpp -- walks through an XML text element by element, without recursion and without a tree.
//
// The anchor of a report nests one element per call level and may hold millions of them. So a parser that builds a
// tree, or limits its depth, does not do. The anchor also holds unquoted attribute values, which XML proper does not
// know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

struct XmlAttribute {
  std::string_view name;
  std::string value;  // decoded
};

/// A pull parser. Comments, processing instructions and document types are skipped.
class XmlScanner {
 public:
  enum class Token { kOpen, kClose, kText, kEnd, kError };

  /// `text` must outlive the scanner.
  explicit XmlScanner(std::string_view text) : text_(text) {}

  /// Moves to the next token. An element without content gives kOpen, then kClose. After kEnd or kError it stays.
  Token next();

  /// Name of the element that opened or closed.
  std::string_view name() const { return name_; }

  /// After kOpen.
  const std::vector<XmlAttribute>& attributes() const { return attributes_; }

  /// Value of an attribute after kOpen; empty if it is not there.
  std::string_view attribute(std::string_view name) const;

  /// After kText: a piece of character data, decoded. An element's text may come in several pieces.
  const std::string& text() const { return value_; }

  /// Number of elements that are open.
  std::size_t depth() const { return open_.size(); }

  /// After kError: what is wrong, with its line.
  std::string error_text() const;

 private:
  Token fail(const char* why);
  Token open_element();
  Token close_element();
  bool skip_past(std::string_view end);
  bool read_attribute();
  std::string_view take_name();
  void skip_spaces();

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view name_;
  std::string value_;
  std::vector<XmlAttribute> attributes_;
  std::vector<std::string_view> open_;
  bool is_empty_element_ = false;
  const char* error_ = nullptr;
};

/// Replaces the five named entities and numeric ones; anything else that looks like one stays as it is.
std::string decode_entities(std::string_view text);

/// The text for an element or attribute value. The five special characters become entities, control characters (a
/// carriage return, too) spaces, and bytes that are not UTF-8 '?'.
std::string encode_xml(std::string_view text);

}  // namespace tarry
