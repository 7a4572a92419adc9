// csv.hpp -- tables as text (RFC 4180): written field by field, read by the names of their columns.
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// One field: in quotes where it holds a comma, a quote or a line end, its quotes doubled.
std::string csv_field(std::string_view text);

/// The same for spreadsheets, which would compute what begins with =, +, - or @: an apostrophe comes first.
std::string csv_field_for_spreadsheets(std::string_view text);

class CsvWriter {
 public:
  /// `header`: the names of the columns, by commas. Empty: the table has no first line yet.
  explicit CsvWriter(std::string_view header);

  CsvWriter& add(std::string_view text);
  /// 17 significant digits.
  CsvWriter& add(double number);
  template <std::integral T>
  CsvWriter& add(T number) {
    return add_plain(std::to_string(number));
  }
  /// Fields without a value.
  CsvWriter& skip(int fields = 1);
  void end_row();

  /// All rows that have ended.
  std::string take() { return std::move(text_); }

 private:
  CsvWriter& add_plain(std::string_view field);

  std::string text_;
  bool has_field_ = false;  // in this row
};

class CsvTable {
 public:
  /// The first line names the columns. Any text gives a table: a row may have too few fields, or too many.
  static CsvTable parse(std::string_view text);

  std::size_t size() const { return rows_.size(); }
  /// The text ends within quotes. What follows them is in no row.
  bool is_cut() const { return is_cut_; }
  bool has_column(std::string_view name) const { return columns_.contains(name); }
  /// Names of the columns from left to right.
  const std::vector<std::string>& header() const { return header_; }

  /// Empty if the row has no such field.
  const std::string& text(std::size_t row, std::string_view column) const;
  /// Nothing if the field is no finite number.
  std::optional<double> number(std::size_t row, std::string_view column) const;

 private:
  std::vector<std::string> header_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<std::vector<std::string>> rows_;
  bool is_cut_ = false;
};

}  // namespace tarry
