// sync_places_test.cpp -- sync points are found by the records that made them.
#include <gtest/gtest.h>

#include "analysis/sync_points/sync_exchange.hpp"

namespace tarry {
namespace {

TEST(SyncPlaces, FindsRecordsThatCameInAnyOrder) {
  SyncPlaces places;
  places.add(7, {0, 1});
  places.add(2, {1, 0});
  places.add(9, {0, 2});
  places.finish();
  ASSERT_NE(places.find(2), nullptr);
  EXPECT_EQ(places.find(2)->thread, 1u);
  EXPECT_EQ(places.find(7)->point, 1u);
  EXPECT_EQ(places.find(9)->point, 2u);
  for (const std::uint32_t missing : {0u, 3u, 8u, 10u}) EXPECT_EQ(places.find(missing), nullptr) << missing;
}

TEST(SyncPlaces, TakesTheLastOfSeveral) {
  SyncPlaces places;
  places.add(4, {0, 5});
  places.add(3, {0, 1});
  places.add(4, {0, 6});
  places.finish();
  ASSERT_NE(places.find(4), nullptr);
  EXPECT_EQ(places.find(4)->point, 6u);
}

TEST(SyncPlaces, IsEmptyAtFirst) { EXPECT_EQ(SyncPlaces().find(0), nullptr); }

}  // namespace
}  // namespace tarry
