// ids.hpp -- typed indices: a region id cannot be passed where a location id is meant.
#pragma once

#include <cstdint>
#include <functional>

namespace tarry {

/// Index into one kind of table. Default constructed it names nothing.
template <class Tag, class Number = std::uint32_t>
struct StrongId {
  static constexpr Number kNone = static_cast<Number>(~Number{0});

  Number value = kNone;

  constexpr StrongId() = default;
  constexpr explicit StrongId(std::uint64_t index) : value(static_cast<Number>(index)) {}

  constexpr bool is_valid() const { return value != kNone; }
  constexpr auto operator<=>(const StrongId&) const = default;
};

}  // namespace tarry

template <class Tag, class Number>
struct std::hash<tarry::StrongId<Tag, Number>> {
  std::size_t operator()(tarry::StrongId<Tag, Number> id) const noexcept { return std::hash<Number>{}(id.value); }
};
