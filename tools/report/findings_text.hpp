// findings_text.hpp -- findings as text for people, within a screenful: 40 lines of 100 columns.
#pragma once

#include <string>

#include "findings/findings.hpp"

namespace tarry {

/// How the text may look, decided by where it goes.
struct TextStyle {
  bool has_colour = false;   // ANSI sequences for headings and bars
  bool has_unicode = false;  // block characters in bars
};

/// As the locale (LC_ALL, LC_CTYPE, LANG) and the terminal on `descriptor` have it.
TextStyle find_text_style(int descriptor);

/// Wait states and call paths printed at most.
inline constexpr std::size_t kFindingsShown = 6;

/// `next_step` is printed as the last line.
std::string findings_text(const Report& report, const Findings& findings, const std::string& next_step,
                          TextStyle style);

}  // namespace tarry
