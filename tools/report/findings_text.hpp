// findings_text.hpp -- findings as text for people, within a screenful of 40 lines.
#pragma once

#include <string>

#include "base/text/text_columns.hpp"
#include "findings/findings.hpp"
#include "findings/source_lines.hpp"

namespace tarry {

/// How the text may look, decided by where it goes.
struct TextStyle {
  bool has_colour = false;   // ANSI sequences for headings and bars
  bool has_unicode = false;  // block characters in bars
  std::size_t columns = kWholeLine;
  bool has_full_names = false;
};

/// As the locale (LC_ALL, LC_CTYPE, LANG) and the terminal on `descriptor` have it.
TextStyle find_text_style(int descriptor);

/// Wait states and call paths printed at most.
inline constexpr std::size_t kFindingsShown = 6;

/// Commands that tell more, as they may be typed.
struct NextCommands {
  std::string step;            // printed as the last line
  std::string all_causes;      // lists the delay costs of all call paths
  std::string traced_archive;  // input of 'tarry predict'; empty if there is no trace of this report
};

std::string findings_text(const Report& report, const Findings& findings, const SourceLines& sources,
                          const NextCommands& next, TextStyle style);

}  // namespace tarry
