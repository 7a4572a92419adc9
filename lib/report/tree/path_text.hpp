// path_text.hpp -- the text of a call path: names from the root down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text/text.hpp"

namespace tarry {

/// Names joined by '/'; inside a name '/' becomes "\/" and '\' becomes "\\". Of a path of more than kMostPathNames
/// regions only the last ones are named, behind "(call path N) ...". Texts of all paths of a recursion a million deep
/// would take terabytes. `parent_of(path)` is `none` at a root, and smaller than the path elsewhere.
inline constexpr std::size_t kMostPathNames = 1024;

template <class ParentOf, class NameOf>
std::string path_text(std::uint32_t path, std::uint32_t none, ParentOf parent_of, NameOf name_of) {
  std::vector<std::uint32_t> chain;
  std::uint32_t at = path;
  for (; at != none && chain.size() < kMostPathNames; at = parent_of(at)) chain.push_back(at);
  std::string text = at == none ? "" : "(call path " + std::to_string(path) + ") .../";
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    if (link != chain.rbegin()) text.push_back('/');
    append_path_name(text, name_of(*link));
  }
  return text;
}

}  // namespace tarry
