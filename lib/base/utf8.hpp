// utf8.hpp -- names of programs as UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tarry {

/// The text with every byte that is not part of valid UTF-8 as '?'.
std::string valid_utf8(std::string_view text);

}  // namespace tarry
