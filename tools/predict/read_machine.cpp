// read_machine.cpp -- what users write about the changed machine, read.
#include "read_machine.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include "base/tool/cli.hpp"

namespace tarry {
namespace {

// A share of time: more than nothing would be a division by zero elsewhere, and nobody needs more than 10^6.
Result<double> parse_factor(const std::string& text) {
  char* end = nullptr;
  const double factor = std::strtod(text.c_str(), &end);
  constexpr double kMost = 1e6;
  if (text.empty() || *end != '\0' || !std::isfinite(factor) || factor < 0 || factor > kMost)
    return Error{"'" + text + "'", "is no factor", "write a number from 0 to 1000000, as 0.5"};
  return factor;
}

std::optional<std::uint32_t> read_number(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

// Both sides of the last '='.
Result<std::size_t> find_equals(const std::string& text, const char* example) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0) return Error{"'" + text + "'", "has no name and factor", example};
  return at;
}

}  // namespace

Result<Network> parse_network(const std::string& text) {
  if (text == "ideal") return Network();
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    return Error{"'" + text + "'", "is no network", "write 'ideal', or latency and bandwidth as 10us,1GB/s"};
  TARRY_TRY_ASSIGN(latency, parse_seconds(text.substr(0, comma)));
  TARRY_TRY_ASSIGN(rate, parse_rate(text.substr(comma + 1)));
  if (rate <= 0) return Error{"'" + text + "'", "has no bandwidth", "write it like 10us,1GB/s"};
  return Network{.latency = latency, .seconds_per_byte = 1 / rate};
}

Result<double> parse_copy_bandwidth(const std::string& text) {
  if (text == "ideal") return 0.0;
  TARRY_TRY_ASSIGN(rate, parse_rate(text));
  if (rate <= 0) return Error{"'" + text + "'", "is no bandwidth", "write 'ideal', or a bandwidth as 16GB/s"};
  return 1 / rate;
}

Result<CollectiveLaw> parse_collective_law(const std::string& text) {
  if (text == "log") return CollectiveLaw::kLogarithmic;
  if (text == "linear") return CollectiveLaw::kLinear;
  return Error{"'" + text + "'", "is no law", "write 'log' or 'linear'"};
}

Result<RegionFactor> parse_region_factor(const std::string& text) {
  TARRY_TRY_ASSIGN(at, find_equals(text, "write it like solve=0.5"));
  TARRY_TRY_ASSIGN(factor, parse_factor(text.substr(at + 1)));
  return RegionFactor{.name = text.substr(0, at), .factor = factor};
}

Result<DelayFactor> parse_delay(const std::string& text) {
  const std::size_t at = std::min(text.rfind('='), text.size());
  DelayFactor delay;
  if (at < text.size()) {
    TARRY_TRY_ASSIGN(factor, parse_factor(text.substr(at + 1)));
    delay.factor = factor;
  }
  const std::optional<std::uint32_t> number = read_number(std::string_view(text).substr(0, at));
  if (!number || *number == 0 || delay.factor > 1)
    return Error{"'" + text + "'", "is no delay", "write a number from 1 on, or 3=0.5 to leave half of it"};
  delay.number = *number;
  return delay;
}

Result<RankFactor> parse_rank_factor(const std::string& text) {
  TARRY_TRY_ASSIGN(at, find_equals(text, "write it like 4=0.8"));
  TARRY_TRY_ASSIGN(factor, parse_factor(text.substr(at + 1)));
  const std::optional<std::uint32_t> rank = read_number(std::string_view(text).substr(0, at));
  if (!rank || *rank == WorldRank::kNone) return Error{"'" + text + "'", "has no rank", "write it like 4=0.8"};
  return RankFactor{.rank = WorldRank(*rank), .factor = factor};
}

std::string describe(const Machine& machine) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (machine.network) {
    const Network& network = *machine.network;
    add("--network " + (network.is_ideal() ? "ideal"
                                           : number_text(network.latency * 1e6) + "us," +
                                                 number_text(1e-9 / network.seconds_per_byte) + "GB/s"));
    if (machine.collectives == CollectiveLaw::kLinear) add("--collectives linear");
  }
  if (machine.cpu_speed != 1) add("--cpu " + number_text(machine.cpu_speed));
  for (const RegionFactor& scaled : machine.regions)
    add((scaled.is_alone ? "--scale-self " : "--scale-region ") + scaled.name + "=" + number_text(scaled.factor));
  for (const DelayFactor& delay : machine.delays)
    add("--without-delay " + std::to_string(delay.number) + (delay.factor > 0 ? "=" + number_text(delay.factor) : ""));
  for (const RankFactor& scaled : machine.ranks)
    add("--rank " + std::to_string(scaled.rank.value) + "=" + number_text(scaled.factor));
  if (machine.balanced) add(machine.balanced->empty() ? "--balance" : "--balance " + *machine.balanced);
  if (machine.eager_limit) add("--eager-limit " + std::to_string(*machine.eager_limit));
  if (const std::optional<double>& link = machine.copy_seconds_per_byte)
    add("--copy-bandwidth " + (*link == 0 ? "ideal" : number_text(1e-9 / *link) + "GB/s"));
  if (machine.overlaps_copies) add("--overlap-copies");
  if (machine.binds_one_sided) add("--bind-windows");
  if (machine.is_like_dimemas) add("--like dimemas");
  return text.empty() ? "unchanged" : text;
}

}  // namespace tarry
