// text.hpp -- text as machines read it: exact numbers, lists, paths; words compared.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/csv.hpp"

namespace tarry {

/// 17 significant digits: read back, it is the same number.
std::string exact_number(double value);

/// Appends a region name in its form in a call path written as text: '/' becomes "\\/", '\\' becomes "\\\\".
void append_path_name(std::string& path, std::string_view name);

/// Whether `text` equals one of `words`.
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);

/// The parts of a list between commas; an empty list has one empty part.
std::vector<std::string> split_list(const std::string& list);

/// A name as Fortran compilers may spell it, made comparable: lower case, no underscores at the end.
std::string plain_name(std::string_view name);

}  // namespace tarry
