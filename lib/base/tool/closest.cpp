// closest.cpp -- what somebody meant who mistyped a name.
#include "base/tool/closest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tarry {
namespace {

// Levenshtein's distance, row by row.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string closest_name(std::string_view text, const std::vector<std::string>& names) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::string closest;
  for (const std::string& name : names)
    if (const std::size_t steps = distance(text, name); steps < least) {
      least = steps;
      closest = name;
    }
  return closest;
}

}  // namespace tarry
