// opari_check.hpp -- whether OPARI2 has found the ends of a source's constructs.
#pragma once

#include <string>
#include <string_view>

namespace tarry {

/// Looks at a copy in C or C++, preprocessed. OPARI2 sees no macros, and knows not all statements of C++: then its
/// calls hold less than the construct's statement, or more. Such a copy may compile and compute something else.
bool opari_found_all_ends(std::string_view preprocessed);

}  // namespace tarry
