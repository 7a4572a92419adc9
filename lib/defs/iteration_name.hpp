// iteration_name.hpp -- the names of marked iterations: "step=7" is the seventh of the loop "step".
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "defs/definitions.hpp"

namespace tarry {

struct IterationName {
  std::string_view loop;
  std::optional<std::int64_t> number;  // nothing: all that have no call path of their own ("step=...")
};

inline bool is_dynamic(RegionRole role) {
  return role == RegionRole::kDynamic || role == RegionRole::kDynamicPhase || role == RegionRole::kDynamicLoop;
}

/// Nothing if it is no such name.
inline std::optional<IterationName> split_iteration_name(std::string_view name) {
  const std::size_t mark = name.rfind('=');
  if (mark == name.npos) return std::nullopt;
  const std::string_view value = name.substr(mark + 1);
  if (value == "...") return IterationName{name.substr(0, mark), std::nullopt};
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return IterationName{name.substr(0, mark), number};
}

}  // namespace tarry
