// cart_grid.hpp -- positions of ranks in the grid of a communicator, and their neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// Answers questions about one grid, which must live as long as this.
class CartGrid {
 public:
  using Coordinates = std::vector<std::uint32_t>;

  static constexpr std::uint32_t kNobody = 0xffffffffu;

  explicit CartGrid(const CartTopology& cart);

  /// How many cells there are, 2^32 - 1 at most. Without places these are the ranks in the grid.
  std::uint32_t cells() const { return cells_; }

  /// The position of `rank`; nothing if it has none.
  std::optional<Coordinates> coordinates_of(std::uint32_t rank) const;

  /// The neighbours of `rank` as MPI orders them: in each dimension the one before and the one behind. kNobody where a
  /// dimension that is not periodic ends. Empty if the rank is not in the grid.
  std::vector<std::uint32_t> neighbors(std::uint32_t rank) const;

 private:
  bool is_inside(std::span<const std::uint32_t> coordinates) const;
  std::uint64_t cell_of(std::span<const std::uint32_t> coordinates) const;
  std::uint32_t rank_at(const Coordinates& coordinates) const;

  const CartTopology& cart_;
  std::uint32_t cells_ = 1;
  std::unordered_map<std::uint64_t, std::uint32_t> rank_of_cell_;  // where there are places
};

/// Forgets places that follow from the order of ranks.
void drop_plain_places(CartTopology& cart);

/// The grid's own name, or else that of its communicator; may be empty.
StringId name_of_grid(const Definitions& definitions, const CartTopology& cart);

}  // namespace tarry
