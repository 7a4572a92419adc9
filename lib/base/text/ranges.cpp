// ranges.cpp -- what users write for a part of something.
#include "base/text/ranges.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace tarry {
namespace {

// A bound of a window: empty for an open one, else seconds that are not negative.
Result<double> parse_bound(const std::string& text, double open) {
  if (text.empty()) return open;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end || !std::isfinite(value) || value < 0)
    return Error{"'" + text + "'", "is no time in seconds", "write a window like 2:5.5, 2: or :5.5"};
  return value;
}

}  // namespace

Result<NumberRanges> NumberRanges::parse(const std::string& list) {
  NumberRanges numbers;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const char* end = list.data() + comma;
    std::int64_t first = 0, last = 0;
    auto parsed = std::from_chars(list.data() + at, end, first);
    last = first;
    if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '-')
      parsed = std::from_chars(parsed.ptr + 1, end, last);
    if (parsed.ec != std::errc() || parsed.ptr != end || first < 0 || last < first)
      return Error{"'" + list + "'", "is no list of numbers", "write it like 0,4-7"};
    numbers.ranges_.emplace_back(first, last);
    at = comma + 1;
  }
  return numbers;
}

bool NumberRanges::contains(std::int64_t number) const {
  return is_all() || std::any_of(ranges_.begin(), ranges_.end(), [number](const auto& range) {
           return number >= range.first && number <= range.second;
         });
}

Result<TimeWindow> TimeWindow::parse(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    return Error{"'" + text + "'", "is no window of time", "write seconds from the start, like 2:5.5, 2: or :5.5"};
  TimeWindow window;
  TARRY_TRY_ASSIGN(begin, parse_bound(text.substr(0, colon), window.begin));
  TARRY_TRY_ASSIGN(end, parse_bound(text.substr(colon + 1), window.end));
  if (begin >= end) return Error{"'" + text + "'", "ends before it begins", "write the earlier time first"};
  window.begin = begin;
  window.end = end;
  return window;
}

}  // namespace tarry
