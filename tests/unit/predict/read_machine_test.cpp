// read_machine_test.cpp -- what users write about the changed machine.
#include "tools/predict/read_machine.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(ReadMachine, Networks) {
  ASSERT_TRUE(parse_network("ideal").ok());
  EXPECT_TRUE(parse_network("ideal").value().is_ideal());
  const Result<Network> network = parse_network("10us,1GB/s");
  ASSERT_TRUE(network.ok());
  EXPECT_DOUBLE_EQ(network.value().latency, 1e-5);
  EXPECT_DOUBLE_EQ(network.value().seconds_per_byte, 1e-9);
  EXPECT_DOUBLE_EQ(parse_network("0,1MiB/s").value().seconds_per_byte, 1.0 / (1 << 20));
  for (const char* wrong : {"", "ideal,", "10us", ",1GB/s", "10us,", "10us,0GB/s", "-1us,1GB/s", "10us,1GB", "1,2,3"})
    EXPECT_FALSE(parse_network(wrong).ok()) << wrong;
}

TEST(ReadMachine, FactorsOfRegions) {
  const Result<RegionFactor> factor = parse_region_factor("operator==(a)=0.5");
  ASSERT_TRUE(factor.ok());
  EXPECT_EQ(factor.value().name, "operator==(a)");
  EXPECT_EQ(factor.value().factor, 0.5);
  for (const char* wrong : {"", "solve", "=2", "solve=", "solve=x", "solve=-1", "solve=nan", "solve=1e9", "solve=2x"})
    EXPECT_FALSE(parse_region_factor(wrong).ok()) << wrong;
}

TEST(ReadMachine, Delays) {
  EXPECT_EQ(parse_delay("3").value().number, 3u);
  EXPECT_EQ(parse_delay("3").value().factor, 0);
  EXPECT_EQ(parse_delay("12=0.25").value().number, 12u);
  EXPECT_EQ(parse_delay("12=0.25").value().factor, 0.25);
  for (const char* wrong : {"", "0", "-1", "x", "1=", "1=2", "1=-1", "=1", "1x", "4294967296"})
    EXPECT_FALSE(parse_delay(wrong).ok()) << wrong;
}

TEST(ReadMachine, FactorsOfRanks) {
  const Result<RankFactor> factor = parse_rank_factor("4=0.8");
  ASSERT_TRUE(factor.ok());
  EXPECT_EQ(factor.value().rank, WorldRank(4));
  EXPECT_EQ(factor.value().factor, 0.8);
  for (const char* wrong : {"", "4", "=2", "x=2", "4x=2", "-1=2", "4294967295=2", "4294967296=2", "4="})
    EXPECT_FALSE(parse_rank_factor(wrong).ok()) << wrong;
}

TEST(ReadMachine, LawsOfCollectives) {
  EXPECT_EQ(parse_collective_law("log").value(), CollectiveLaw::kLogarithmic);
  EXPECT_EQ(parse_collective_law("linear").value(), CollectiveLaw::kLinear);
  EXPECT_FALSE(parse_collective_law("").ok());
}

}  // namespace
}  // namespace tarry
