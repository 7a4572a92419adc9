// cart_grid.cpp -- positions of ranks in the grid of a communicator, and their neighbours.
#include "defs/cart_grid.hpp"

#include <algorithm>

namespace tarry {
namespace {

// The last dimension counts fastest.
CartGrid::Coordinates plain_coordinates(const CartTopology& cart, std::uint32_t rank) {
  CartGrid::Coordinates coordinates(cart.dimensions.size());
  for (std::size_t d = coordinates.size(); d-- > 0;) {
    coordinates[d] = rank % cart.dimensions[d].size;
    rank /= cart.dimensions[d].size;
  }
  return coordinates;
}

}  // namespace

CartGrid::CartGrid(const CartTopology& cart) : cart_(cart) {
  for (const CartTopology::Dimension& dimension : cart.dimensions)
    cells_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{cells_} * dimension.size, kNobody));
  for (const CartTopology::Place& place : cart.places)
    if (is_inside(place.coordinates)) rank_of_cell_.emplace(cell_of(place.coordinates), place.rank);
}

bool CartGrid::is_inside(std::span<const std::uint32_t> coordinates) const {
  return std::equal(coordinates.begin(), coordinates.end(), cart_.dimensions.begin(), cart_.dimensions.end(),
                    [](std::uint32_t at, const CartTopology::Dimension& dimension) { return at < dimension.size; });
}

std::uint64_t CartGrid::cell_of(std::span<const std::uint32_t> coordinates) const {
  std::uint64_t cell = 0;
  for (std::size_t d = 0; d < coordinates.size(); ++d) cell = cell * cart_.dimensions[d].size + coordinates[d];
  return cell;
}

std::optional<CartGrid::Coordinates> CartGrid::coordinates_of(std::uint32_t rank) const {
  if (cart_.places.empty()) return rank < cells_ ? std::optional(plain_coordinates(cart_, rank)) : std::nullopt;
  const auto place =
      std::lower_bound(cart_.places.begin(), cart_.places.end(), rank,
                       [](const CartTopology::Place& each, std::uint32_t wanted) { return each.rank < wanted; });
  const bool is_there = place != cart_.places.end() && place->rank == rank && is_inside(place->coordinates);
  return is_there ? std::optional(place->coordinates) : std::nullopt;
}

std::uint32_t CartGrid::rank_at(const Coordinates& coordinates) const {
  const std::uint64_t cell = cell_of(coordinates);
  if (cart_.places.empty()) return cell < cells_ ? static_cast<std::uint32_t>(cell) : kNobody;
  const auto found = rank_of_cell_.find(cell);
  return found == rank_of_cell_.end() ? kNobody : found->second;
}

std::vector<std::uint32_t> CartGrid::neighbors(std::uint32_t rank) const {
  std::vector<std::uint32_t> neighbors;
  const auto own = coordinates_of(rank);
  if (!own) return neighbors;
  for (std::size_t d = 0; d < own->size(); ++d) {
    const std::uint32_t at = (*own)[d], last = cart_.dimensions[d].size - 1;
    const auto neighbor = [&](bool is_edge, std::uint32_t place) {
      if (is_edge && !cart_.dimensions[d].is_periodic) return kNobody;
      Coordinates there = *own;
      there[d] = place;
      return rank_at(there);
    };
    neighbors.push_back(neighbor(at == 0, at == 0 ? last : at - 1));
    neighbors.push_back(neighbor(at == last, at == last ? 0 : at + 1));
  }
  return neighbors;
}

void drop_plain_places(CartTopology& cart) {
  if (cart.places.size() != CartGrid(cart).cells()) return;
  for (std::uint32_t rank = 0; rank < cart.places.size(); ++rank)
    if (cart.places[rank].rank != rank || cart.places[rank].coordinates != plain_coordinates(cart, rank)) return;
  cart.places.clear();
}

StringId name_of_grid(const Definitions& definitions, const CartTopology& cart) {
  const bool has_own = !cart.comm.is_valid() || !definitions.text(cart.name).empty();
  return has_own ? cart.name : definitions.comms[cart.comm.value].name;
}

}  // namespace tarry
