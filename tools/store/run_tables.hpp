// run_tables.hpp -- tables and objects of runs, as people and programs read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// Columns as wide as they must be, two blanks between them; columns without a value in any row are left out.
class TextTable {
 public:
  /// `numbers`: the columns that are aligned at the right.
  TextTable(std::vector<std::string> header, const std::vector<std::size_t>& numbers);

  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::string line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) const;

  std::vector<std::string> header_;
  std::vector<bool> is_number_;
  std::vector<std::vector<std::string>> rows_;
};

/// Writes to stdout; a reader that has seen enough is no failure.
Status print_text(std::string_view text);

}  // namespace tarry
