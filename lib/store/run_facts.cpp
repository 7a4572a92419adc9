// run_facts.cpp -- what is known of a run beside its report.
#include "store/run_facts.hpp"

#include <charconv>
#include <cmath>
#include <set>

namespace tarry {

std::optional<std::int64_t> MachineFacts::cores() const {
  std::int64_t sum = 0;
  for (const NodeFacts& node : nodes) {
    if (!node.cores) return {};
    sum += *node.cores;
  }
  return nodes.empty() ? std::nullopt : std::optional(sum);
}

std::string MachineFacts::network_text() const {
  if (!network.empty()) return network;
  std::set<std::string> links;
  for (const NodeFacts& node : nodes)
    if (!node.network.empty()) links.insert(node.network);
  std::string text;
  for (const std::string& link : links) text += (text.empty() ? "" : "; ") + link;
  return text;
}

std::optional<double> parameter_number(const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number)) return {};
  return number;
}

}  // namespace tarry
