// host_facts.cpp -- what a node has, as text and back.
#include "defs/host_facts.hpp"

#include <algorithm>
#include <charconv>

namespace tarry {

std::string host_facts_text(const HostFacts& facts) {
  std::string text;
  if (facts.cores > 0) text += "cores=" + std::to_string(facts.cores) + "\n";
  if (!facts.processor.empty()) text += "processor=" + facts.processor + "\n";
  if (!facts.network.empty()) text += "network=" + facts.network + "\n";
  return text;
}

HostFacts parse_host_facts(std::string_view text) {
  HostFacts facts;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = line.substr(0, equals), value = line.substr(equals + 1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (name == "cores" && error == std::errc() && end == value.data() + value.size()) facts.cores = number;
    if (name == "processor") facts.processor = value;
    if (name == "network") facts.network = value;
  }
  return facts;
}

}  // namespace tarry
