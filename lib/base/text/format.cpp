// format.cpp -- numbers and names as people read them.
#include "base/text/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/printable.hpp"

namespace tarry {
namespace {

std::string with_digits(double value, const char* unit) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.4g %s", value, unit);
  return buffer;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Index of the byte where character `count` begins.
std::size_t byte_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (!continues_character(text[at]) && count-- == 0) break;
  return at;
}

}  // namespace

std::string format_seconds(Seconds seconds) {
  const double size = std::abs(seconds);
  if (size == 0) return "0 s";
  if (size < 1e-6) return with_digits(seconds * 1e9, "ns");
  if (size < 1e-3) return with_digits(seconds * 1e6, "us");
  if (size < 1) return with_digits(seconds * 1e3, "ms");
  if (size < 1e4) return with_digits(seconds, "s");
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.0f s", seconds);
  return buffer;
}

std::string format_cpu_time(Seconds seconds) {
  return seconds < 3600 ? format_seconds(seconds) : with_digits(seconds / 3600, "CPU-hours");
}

std::string format_percent(double fraction) {
  if (fraction == 0 || !std::isfinite(fraction)) return "0%";
  if (std::abs(fraction) < 0.0005) return "<0.1%";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f%%", fraction * 100);
  return buffer;
}

std::string format_number(double value, const char* pattern) {
  char buffer[512];  // enough for the largest with "%.4f"
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

std::string format_count(std::uint64_t count, std::string_view singular, std::string_view plural) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(singular);
  return plural.empty() ? text.append(singular).append("s") : text.append(plural);
}

std::string format_ranges(std::vector<std::int64_t> numbers, std::size_t most) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t first = 0; first < numbers.size(); ++ranges) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (ranges == most) return text + ",... (" + std::to_string(numbers.size()) + " in all)";
    if (ranges) text += ",";
    text += std::to_string(numbers[first]);
    if (last > first) text += (last == first + 1 ? "," : "-") + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::size_t display_width(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

std::string shorten_middle(std::string_view text, std::size_t width) {
  const std::string shown = printable(text);
  const std::size_t length = display_width(shown);
  if (length <= width) return shown;
  const std::size_t kept = width - 3;
  const std::size_t front = kept / 3;  // the end of a call path tells more than its beginning
  return shown.substr(0, byte_of(shown, front)) + "..." + shown.substr(byte_of(shown, length - (kept - front)));
}

std::string shorten_end(std::string_view text, std::size_t width) {
  const std::string shown = printable(text);
  return display_width(shown) <= width ? shown : shown.substr(0, byte_of(shown, width - 3)) + "...";
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t length = display_width(text);
  return length < width ? text.append(width - length, ' ') : text;
}

std::string pad_left(std::string text, std::size_t width) {
  const std::size_t length = display_width(text);
  return length < width ? text.insert(0, width - length, ' ') : text;
}

std::string format_amount(double value, std::string_view unit) {
  const char* const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  for (; value >= 1e4 && prefix + 1 < std::size(prefixes); ++prefix) value /= 1000;
  const std::string prefixed = prefixes[prefix] + std::string(unit);
  return format_number(value) + (prefixed.empty() ? "" : " " + prefixed);
}

}  // namespace tarry
