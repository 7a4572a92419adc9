// function_name.hpp -- names of functions as people read them: without argument lists and template arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// How much of a function's name is shown.
struct NameDetail {
  bool has_arguments = false;   // "(int)", and " const" and the like after it
  unsigned template_depth = 0;  // 1: "f<Grid>", 2: "f<Grid<double>>", ...
};

/// A C++ name without return type, ABI tags and clone suffixes, and with the detail that is wanted; it may be mangled.
/// Names of C, Fortran and Python functions, and text that is no function's name, remain as they are. Takes linear
/// time.
std::string function_name(std::string_view name, NameDetail detail = {});

/// Names that are shown together, each as short as possible: different names remain different. [name]
std::vector<std::string> short_names(const std::vector<std::string>& names);

}  // namespace tarry
