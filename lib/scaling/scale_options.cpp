// scale_options.cpp -- which runs a study is of, and what is modelled of them.
#include "scaling/scale_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tarry {

std::string read_places(const std::string& text, ScaleOptions& options) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, comma - begin);
    const std::size_t equals = one.find('=');
    const std::string number = equals == one.npos ? one : one.substr(equals + 1);
    double value = 0;
    const auto [stopped, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || stopped != number.data() + number.size() || !std::isfinite(value) || value <= 0)
      return "--at: '" + one + "' is no number above 0, and no PARAMETER=NUMBER";
    options.at.emplace_back(equals == one.npos ? "" : one.substr(0, equals), value);
    begin = comma + 1;
  }
  return "";
}

std::string read_scaling(const std::string& word, ScaleOptions& options) {
  options.scaling = word == "weak" ? Scaling::kWeak : Scaling::kStrong;
  return word == "strong" || word == "weak" ? "" : "--scaling: '" + word + "' is neither strong nor weak";
}

}  // namespace tarry
