// indexed_test.cpp -- arrays with typed indices: which ids they take, and what they say of their elements.
#include "base/arrays/indexed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tarry {
namespace {

using Apple = StrongId<struct AppleTag>;
using Pear = StrongId<struct PearTag, std::uint16_t>;
using Apples = Indexed<Apple, std::vector<int>>;

template <class Array, class Index>
concept CanIndex = requires(Array array, Index index) {
  array[index];
};

static_assert(CanIndex<Apples, Apple> && CanIndex<Apples, std::size_t>);
static_assert(!CanIndex<Apples, Pear>, "an id of something else is no index");
static_assert(sizeof(Apple) == 4 && sizeof(Pear) == 2);

TEST(Indexed, ElementsAreNamedByTheirIds) {
  Apples apples;
  EXPECT_EQ(apples.next_id(), Apple(0));
  for (const int weight : {7, 5, 9}) apples.push_back(weight);
  EXPECT_EQ(apples[Apple(2)], 9);
  EXPECT_EQ(apples[1], 5);
  EXPECT_EQ(apples.next_id(), Apple(3));
  EXPECT_TRUE(apples.has(Apple(2)));
  EXPECT_FALSE(apples.has(Apple(3)));
  EXPECT_FALSE(apples.has(Apple()));
  int sum = 0;
  for (const Apple apple : apples.ids()) sum += apples[apple];
  EXPECT_EQ(sum, 21);
}

TEST(Indexed, ATableOfIdsTakesTheNumbersAsTheyAre) {
  const auto ids = Apples({4, 4, 4}).ids();
  EXPECT_EQ(std::vector<Apple>(ids.begin(), ids.end()), (std::vector<Apple>{Apple(0), Apple(1), Apple(2)}));
  EXPECT_TRUE(Apples().ids().begin() == Apples().ids().end());
}

TEST(Indexed, AViewMakesIdsOfNumbers) {
  const std::vector<std::uint16_t> numbers = {3, 0xffff, 1};
  const IdView<Pear> view{numbers};
  ASSERT_EQ(view.size(), 3u);
  EXPECT_EQ(view[0], Pear(3));
  EXPECT_FALSE(view[1].is_valid());
  EXPECT_EQ(*std::find(view.begin(), view.end(), Pear(1)), Pear(1));
  EXPECT_EQ(view.numbers().data(), numbers.data());
  EXPECT_TRUE(IdView<Pear>().empty());
}

}  // namespace
}  // namespace tarry
