// printable.hpp -- text for people: names from files reach a terminal only as characters that it shows.
#pragma once

#include <string>
#include <string_view>

namespace tarry {

/// The text without what a terminal acts upon: control characters, bytes that are no UTF-8 ("\x1b"), the C1 controls
/// and what breaks lines or turns the direction of writing ("\u202e"). What is printable stays, so that a second pass
/// changes nothing.
std::string printable(std::string_view text);

/// Appends one line for people to `text`: printable(line) and a line end.
void add_line(std::string& text, std::string_view line = {});

/// Writes one line for people to stdout; whether it arrived is for Cli::finish() to say.
void print_line(std::string_view line = {});

}  // namespace tarry
