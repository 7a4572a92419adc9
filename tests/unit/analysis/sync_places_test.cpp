// sync_places_test.cpp -- sync points are found by the records that made them.
#include <gtest/gtest.h>

#include "analysis/sync_points/sync_exchange.hpp"

namespace tarry {
namespace {

TEST(SyncPlaces, FindsRecordsThatCameInAnyOrder) {
  SyncPlaces<SendIndex> places;
  places.add(SendIndex(7), {ThreadIndex(0), SyncIndex(1)});
  places.add(SendIndex(2), {ThreadIndex(1), SyncIndex(0)});
  places.add(SendIndex(9), {ThreadIndex(0), SyncIndex(2)});
  places.finish();
  ASSERT_NE(places.find(SendIndex(2)), nullptr);
  EXPECT_EQ(places.find(SendIndex(2))->thread, ThreadIndex(1));
  EXPECT_EQ(places.find(SendIndex(7))->point, SyncIndex(1));
  EXPECT_EQ(places.find(SendIndex(9))->point, SyncIndex(2));
  for (const std::uint32_t missing : {0u, 3u, 8u, 10u}) EXPECT_EQ(places.find(SendIndex(missing)), nullptr) << missing;
}

TEST(SyncPlaces, TakesTheLastOfSeveral) {
  SyncPlaces<SendIndex> places;
  places.add(SendIndex(4), {ThreadIndex(0), SyncIndex(5)});
  places.add(SendIndex(3), {ThreadIndex(0), SyncIndex(1)});
  places.add(SendIndex(4), {ThreadIndex(0), SyncIndex(6)});
  places.finish();
  ASSERT_NE(places.find(SendIndex(4)), nullptr);
  EXPECT_EQ(places.find(SendIndex(4))->point, SyncIndex(6));
}

TEST(SyncPlaces, IsEmptyAtFirst) { EXPECT_EQ(SyncPlaces<SendIndex>().find(SendIndex(0)), nullptr); }

}  // namespace
}  // namespace tarry
