// closest_test.cpp -- the name that was meant.
#include "base/tool/closest.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Closest, TakesTheFewestChanges) {
  const std::vector<std::string> names = {"time", "mpi_latesender", "mpi_latereceiver", "visits"};
  EXPECT_EQ(closest_name("mpi_latesendr", names), "mpi_latesender");
  EXPECT_EQ(closest_name("mpi_late_receiver", names), "mpi_latereceiver");
  EXPECT_EQ(closest_name("tmie", names), "time");
  EXPECT_EQ(closest_name("vists", names), "visits");
}

TEST(Closest, FirstOfEqualOnesAndNothingOfNone) {
  EXPECT_EQ(closest_name("x", {"a", "b"}), "a");
  EXPECT_EQ(closest_name("x", {}), "");
  EXPECT_EQ(closest_name("", {"abc", "d"}), "d");
}

}  // namespace
}  // namespace tarry
