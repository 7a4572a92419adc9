// throttled_functions.cpp -- reads and tells which functions were throttled.
#include "findings/losses/throttled_functions.hpp"

#include <algorithm>
#include <sstream>

namespace tarry {

std::vector<ThrottledFunction> read_throttled_functions(const ReportStructure& report) {
  std::vector<ThrottledFunction> functions;
  for (const auto& [key, value] : report.attributes) {
    if (key != kThrottledAttribute) continue;
    std::istringstream text(value);
    ThrottledFunction function;
    while (text >> function.calls && std::getline(text >> std::ws, function.name, ';')) functions.push_back(function);
  }
  return functions;
}

std::string throttled_text(const std::vector<ThrottledFunction>& functions) {
  constexpr std::size_t kNamed = 3;
  if (functions.empty()) return "";
  std::string text = "THROTTLED: ";
  for (std::size_t i = 0; i < std::min(functions.size(), kNamed); ++i)
    text += (i ? ", " : "") + std::to_string(functions[i].calls) + (i ? " of " : " calls of ") + functions[i].name;
  if (functions.size() > kNamed) text += " and of " + std::to_string(functions.size() - kNamed) + " more";
  return text + " are only counted: their time counts for their callers";
}

}  // namespace tarry
