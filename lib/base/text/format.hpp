// format.hpp -- numbers and names as people read them: four significant digits, units that fit, limited width.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// "812.3 us", "4.21 ms", "12.4 s".
std::string format_seconds(Seconds seconds);

/// Time summed over processors: as format_seconds up to an hour, "3.444 CPU-hours" from there on.
std::string format_cpu_time(Seconds seconds);

/// "31.2%" of a fraction; "<0.1%" for what would read as nothing, "0%" for nothing.
std::string format_percent(double fraction);

/// As printf() does with such a pattern for one double; by default four significant digits.
std::string format_number(double value, const char* pattern = "%.4g");

/// With a prefix of its unit: "1234 B", "52.43 MB", "15 G".
std::string format_amount(double value, std::string_view unit);

/// "1 process", "12 processes"; `plural` if it is not the singular and "s".
std::string format_count(std::uint64_t count, std::string_view singular, std::string_view plural = {});

/// "0-2,5,7-9"; sorts and removes duplicates. From the `most`-th range on: "0-2,5,... (412 in all)".
std::string format_ranges(std::vector<std::int64_t> numbers, std::size_t most);

/// At most `width` characters (at least 5): the middle of a longer text is replaced by "...". Cuts between UTF-8
/// characters.
std::string shorten_middle(std::string_view text, std::size_t width);

/// The same; the end of a longer text is replaced by "...".
std::string shorten_end(std::string_view text, std::size_t width);

/// Characters on a terminal, counting each UTF-8 character as one.
std::size_t display_width(std::string_view text);

/// `text` followed or preceded by blanks up to `width` characters.
std::string pad_right(std::string text, std::size_t width);
std::string pad_left(std::string text, std::size_t width);

}  // namespace tarry
