// pomp_text.hpp -- what OPARI2 tells about a construct or region of the source.
//
// Calls: handler-safe.
#pragma once

#include <charconv>
#include <string_view>

namespace tarry::measure {

/// The value behind "key=" in "74*regionType=parallel*sscl=app.c:10:10*escl=app.c:14:14**".
inline std::string_view pomp_value(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find('*'); at != text.npos; at = text.find('*', at + 1)) {
    const std::string_view field = text.substr(at + 1, text.find('*', at + 1) - at - 1);
    if (field.starts_with(key) && field.substr(key.size()).starts_with('=')) return field.substr(key.size() + 1);
  }
  return {};
}

/// File and line in which a construct or region begins.
struct PompStart {
  std::string_view file;
  unsigned line = 0;
};

inline PompStart pomp_start(std::string_view text) {
  const std::string_view start = pomp_value(text, "sscl");  // "app.c:10:10"
  const std::string_view place = start.substr(0, start.rfind(':'));
  PompStart found{.file = place.substr(0, place.rfind(':'))};
  const std::string_view line = start.substr(start.rfind(':') + 1);
  std::from_chars(line.data(), line.data() + line.size(), found.line);
  return found;
}

}  // namespace tarry::measure
