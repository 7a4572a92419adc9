// run_tables.cpp -- tables and objects of runs.
#include "run_tables.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"

namespace tarry {

TextTable::TextTable(std::vector<std::string> header, const std::vector<std::size_t>& numbers)
    : header_(std::move(header)), is_number_(header_.size()) {
  for (const std::size_t column : numbers) is_number_[column] = true;
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (widths[i] == 0) continue;
    if (!line.empty()) line += "  ";
    line += is_number_[i] ? pad_left(row[i], widths[i]) : pad_right(row[i], widths[i]);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(header_.size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (widths[i] > 0 || rows_.empty()) widths[i] = std::max(widths[i], header_[i].size());
  std::string text = line_of(header_, widths);
  for (const auto& row : rows_) text += line_of(row, widths);
  return text;
}

Status print_text(std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written || is_reader_gone(STDOUT_FILENO)) return {};
  return Error{"standard output", system_error(), "results are incomplete"};
}

}  // namespace tarry
