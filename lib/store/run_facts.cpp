// run_facts.cpp -- what is known of a run beside its report.
#include "store/run_facts.hpp"

#include <charconv>
#include <cmath>

namespace tarry {

std::optional<double> parameter_number(const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number)) return {};
  return number;
}

}  // namespace tarry
