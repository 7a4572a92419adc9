// glob.hpp -- shell patterns.
#pragma once

#include <string_view>

namespace tarry {

/// True if `text` as a whole matches the shell pattern: '*', '?', '[abc]', '[a-z]', '[!abc]', '[[:digit:]]'; '\'
/// quotes.
bool matches_glob(std::string_view pattern, std::string_view text);

/// The same for a name that a user gives: it may also be meant literally ("operator[]").
inline bool is_named(std::string_view name, std::string_view pattern) {
  return name == pattern || matches_glob(pattern, name);
}

}  // namespace tarry
