// sql.cpp -- parameters and rows of SQL statements.
#include "store/sql.hpp"

#include <algorithm>

#include "base/text/utf8.hpp"

namespace tarry {

std::string sql_text(std::string_view text) {
  std::string valid = valid_utf8(text);
  std::replace(valid.begin(), valid.end(), '\0', '?');
  return valid;
}

}  // namespace tarry
