// csv.cpp -- tables as text (RFC 4180).
#include "base/text/csv.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/text/text.hpp"

namespace tarry {
namespace {

using Row = std::vector<std::string>;

// Returns whether the text ends where it should: not within quotes.
bool parse_rows(std::string_view text, std::vector<Row>& rows) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // spreadsheets write it in front
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Row row(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') row.back().push_back(text[++i]);
    else if (c == '"') is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted) row.emplace_back();
    else if (c == '\n' && !is_quoted) rows.push_back(std::exchange(row, Row(1)));
    else if (c != '\r' || is_quoted) row.back().push_back(c);
  }
  // The last line end may be missing; within quotes, more than that is.
  if (!is_quoted && (row.size() > 1 || !row.back().empty())) rows.push_back(std::move(row));
  return !is_quoted;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field.push_back('"');
    field.push_back(c);
  }
  return field + "\"";
}

std::string csv_field_for_spreadsheets(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_formula = first != text.npos && std::string_view("=+-@").find(text[first]) != text.npos;
  return csv_field(is_formula ? "'" + std::string(text) : text);
}

CsvWriter::CsvWriter(std::string_view header) : text_(header) {
  if (!header.empty()) text_.push_back('\n');
}

CsvWriter& CsvWriter::add(std::string_view text) { return add_plain(csv_field(text)); }

CsvWriter& CsvWriter::add(double number) { return add_plain(exact_number(number)); }

CsvWriter& CsvWriter::add_plain(std::string_view field) {
  if (std::exchange(has_field_, true)) text_.push_back(',');
  text_ += field;
  return *this;
}

CsvWriter& CsvWriter::skip(int fields) {
  for (int i = 0; i < fields; ++i) add_plain("");
  return *this;
}

void CsvWriter::end_row() {
  text_.push_back('\n');
  has_field_ = false;
}

CsvTable CsvTable::parse(std::string_view text) {
  CsvTable table;
  table.is_cut_ = !parse_rows(text, table.rows_);
  if (table.rows_.empty()) return table;
  table.header_ = table.rows_[0];
  for (std::size_t i = 0; i < table.header_.size(); ++i) table.columns_.emplace(table.header_[i], i);
  table.rows_.erase(table.rows_.begin());
  return table;
}

const std::string& CsvTable::text(std::size_t row, std::string_view column) const {
  static const std::string kNone;
  const auto found = columns_.find(column);
  return found != columns_.end() && found->second < rows_[row].size() ? rows_[row][found->second] : kNone;
}

std::optional<double> CsvTable::number(std::size_t row, std::string_view column) const {
  const std::string& field = text(row, column);
  char* end = nullptr;
  const double value = std::strtod(field.c_str(), &end);
  if (field.empty() || *end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace tarry
