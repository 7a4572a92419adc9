// ids.hpp -- typed 32-bit indices: a region id cannot be passed where a location id is meant.
#pragma once

#include <cstdint>
#include <functional>

namespace tarry {

/// Index into one kind of table. Default constructed it names nothing.
template <class Tag>
struct StrongId {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint32_t value = kNone;

  constexpr StrongId() = default;
  constexpr explicit StrongId(std::uint64_t index) : value(static_cast<std::uint32_t>(index)) {}

  constexpr bool is_valid() const { return value != kNone; }
  constexpr auto operator<=>(const StrongId&) const = default;
};

}  // namespace tarry

template <class Tag>
struct std::hash<tarry::StrongId<Tag>> {
  std::size_t operator()(tarry::StrongId<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
