// host_facts_test.cpp -- what a node has, as text and back.
#include "defs/host_facts.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(HostFacts, TextHoldsAll) {
  const HostFacts facts{64, "Xeon = fast: 2.6 GHz", "mlx5_0 200 Gb/sec (4X HDR), eth0 1000 Mb/s"};
  EXPECT_EQ(parse_host_facts(host_facts_text(facts)), facts);
  EXPECT_EQ(parse_host_facts(host_facts_text({})), HostFacts());
}

TEST(HostFacts, OfAnyTextAreWhatCanBeUnderstood) {
  EXPECT_EQ(parse_host_facts("cores=-3\ncolour=red\n\n=\nprocessor"), HostFacts());
  EXPECT_EQ(parse_host_facts("cores=99999999999999999999\nnetwork=a"), (HostFacts{0, "", "a"}));
  EXPECT_EQ(parse_host_facts("cores=4x"), HostFacts());
}

}  // namespace
}  // namespace tarry
