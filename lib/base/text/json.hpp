// json.hpp -- JSON text, written member by member.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// A string with its quotes. All that a terminal acts upon is escaped, bytes that are no UTF-8 become '?'.
std::string json_string(std::string_view text);

/// Writes one document. Commas, quotes and indentation come by themselves.
class JsonWriter {
 public:
  /// How the members of an object or array follow one another.
  enum class Layout {
    kLines,  // each on a line of its own, indented
    kLine,   // "a": 1, "b": 2
  };

  JsonWriter& begin_object(Layout layout = Layout::kLine) { return begin('{', layout); }
  JsonWriter& begin_array(Layout layout = Layout::kLine) { return begin('[', layout); }
  /// Ends what was begun last.
  JsonWriter& end();

  /// The name of the next value, in an object.
  JsonWriter& name(std::string_view name);

  JsonWriter& add(std::string_view text);
  JsonWriter& add(const char* text) { return add(std::string_view(text)); }
  JsonWriter& add(bool value) { return add_plain(value ? "true" : "false"); }
  /// 17 significant digits; null if it is not finite.
  JsonWriter& add(double number);
  template <std::integral T>
  JsonWriter& add(T number) {
    return add_plain(std::to_string(number));
  }
  JsonWriter& add_null() { return add_plain("null"); }

  /// name(name).add(value)
  template <class T>
  JsonWriter& member(std::string_view name, const T& value) {
    this->name(name);
    return add(value);
  }

  std::string take() { return std::move(text_); }

 private:
  struct Level {
    char closing;
    Layout layout;
    bool is_empty;
  };

  JsonWriter& begin(char opening, Layout layout);
  JsonWriter& add_plain(std::string_view value);
  void begin_value();
  void begin_line();

  std::string text_;
  std::vector<Level> levels_;
  bool has_name_ = false;  // of the value that comes next
};

}  // namespace tarry
