// printable.hpp -- text for people: names from files reach a terminal only as characters that it shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarry {

/// The text with escapes in place of all that a terminal acts upon. These are control characters and bytes that are no
/// UTF-8 ("\x1b"), the C1 controls, line breaks and marks that turn the direction of writing ("\u202e"). Printable
/// characters stay, so that a second pass changes nothing.
std::string printable(std::string_view text);

/// Whether a terminal acts upon the character: a control, a line break, or a mark of direction.
bool is_unprintable(std::uint32_t code);

/// Appends one line for people to `text`: printable(line) and a line end.
void add_line(std::string& text, std::string_view line = {});

/// Writes one line for people to stdout; Cli::finish() checks whether it arrived.
void print_line(std::string_view line = {});

}  // namespace tarry
