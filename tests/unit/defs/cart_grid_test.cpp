// cart_grid_test.cpp -- coordinates and neighbours in grids with and without places.
#include "defs/cart_grid.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

constexpr std::uint32_t kNobody = CartGrid::kNobody;
using Ranks = std::vector<std::uint32_t>;

// 2 rows that end, 3 columns that go round.
CartTopology two_by_three() { return {StringId(), CommId(0), {{StringId(), 2, false}, {StringId(), 3, true}}, {}}; }

TEST(CartGrid, LastDimensionCountsFastest) {
  const CartTopology cart = two_by_three();
  const CartGrid grid(cart);
  EXPECT_EQ(grid.cells(), 6u);
  EXPECT_EQ(grid.coordinates_of(4), (Ranks{1, 1}));
  EXPECT_FALSE(grid.coordinates_of(6));
}

TEST(CartGrid, NeighborsInTheOrderOfMpi) {
  const CartTopology cart = two_by_three();
  const CartGrid grid(cart);
  EXPECT_EQ(grid.neighbors(0), (Ranks{kNobody, 3, 2, 1}));
  EXPECT_EQ(grid.neighbors(5), (Ranks{2, kNobody, 4, 3}));
  EXPECT_TRUE(grid.neighbors(6).empty());
}

TEST(CartGrid, OneCellIsItsOwnNeighborIfItGoesRound) {
  const CartTopology cart{StringId(), CommId(0), {{StringId(), 1, true}, {StringId(), 1, false}}, {}};
  EXPECT_EQ(CartGrid(cart).neighbors(0), (Ranks{0, 0, kNobody, kNobody}));
}

TEST(CartGrid, PlacesCountWhereThereAreSome) {
  CartTopology cart = two_by_three();
  cart.places = {{1, {0, 0}}, {4, {0, 1}}, {7, {1, 5}}};
  const CartGrid grid(cart);
  EXPECT_EQ(grid.coordinates_of(4), (Ranks{0, 1}));
  EXPECT_FALSE(grid.coordinates_of(0));
  EXPECT_FALSE(grid.coordinates_of(7));
  EXPECT_EQ(grid.neighbors(1), (Ranks{kNobody, kNobody, kNobody, 4}));
}

TEST(CartGrid, PlacesInTheOrderOfRanksAreDropped) {
  CartTopology cart = two_by_three();
  for (std::uint32_t rank = 0; rank < 6; ++rank) cart.places.push_back({rank, {rank / 3, rank % 3}});
  CartTopology other = cart;
  std::swap(other.places[0].coordinates, other.places[1].coordinates);
  drop_plain_places(cart);
  drop_plain_places(other);
  EXPECT_TRUE(cart.places.empty());
  EXPECT_EQ(other.places.size(), 6u);
}

TEST(CartGrid, DimensionsWithoutSizeHaveNoCells) {
  const CartTopology cart{StringId(), CommId(0), {{StringId(), 0, true}, {StringId(), 4, true}}, {}};
  EXPECT_FALSE(CartGrid(cart).coordinates_of(0));
  EXPECT_TRUE(CartGrid(cart).neighbors(0).empty());
}

}  // namespace
}  // namespace tarry
