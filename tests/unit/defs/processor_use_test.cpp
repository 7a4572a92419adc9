// processor_use_test.cpp -- how a process used its processors, as text and back.
#include "defs/processor_use.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(ProcessorUse, TextHoldsAll) {
  ProcessorUse use;
  use.processors = {0, 1, 2, 8};
  use.wall = 5.5;
  use.cpu = 4.25;
  use.system = 0.5;
  use.delay = 1.125;
  use.preemptions = 7;
  use.waits = 3;
  use.minor_faults = 1000;
  use.major_faults = 2;
  const std::string text = processor_use_text(use);
  EXPECT_EQ(text,
            "processors=0-2,8 wall_ns=5500000000 cpu_ns=4250000000 system_ns=500000000 delay_ns=1125000000 "
            "preemptions=7 waits=3 minor_faults=1000 major_faults=2");
  EXPECT_EQ(parse_processor_use(text), use);
}

TEST(ProcessorUse, ThreadsHaveTheirOwnTime) {
  ProcessorUse use;
  use.wall = 20;
  EXPECT_DOUBLE_EQ(use.time_of_threads(2), 40);  // in an archive of an older version
  use.delay = 39;
  use.threads = 41;
  use.worst_delay = 19.5;
  use.worst_time = 20.5;
  const auto read = parse_processor_use(processor_use_text(use));
  EXPECT_EQ(read, use);
  EXPECT_DOUBLE_EQ(read->time_of_threads(2), 41);
}

TEST(ProcessorUse, DelayMayBeUnknown) {
  const auto use = parse_processor_use(processor_use_text(ProcessorUse()));
  ASSERT_TRUE(use.has_value());
  EXPECT_FALSE(use->delay.has_value());
  EXPECT_TRUE(use->processors.empty());
}

TEST(ProcessorUse, UnknownWordsAreLeftOut) {
  const auto use = parse_processor_use("later=yes wall_ns=2000000000");
  ASSERT_TRUE(use.has_value());
  EXPECT_DOUBLE_EQ(use->wall, 2);
}

TEST(ProcessorUse, ImpossibleValuesAreRefused) {
  for (const char* text : {"wall_ns=x", "wall_ns=-1", "cpu_ns=", "processors=3-1", "processors=0-4294967295",
                           "processors=1,1", "processors=a", "waits=99999999999999999999", "delay_ns=1.5"})
    EXPECT_FALSE(parse_processor_use(text).has_value()) << text;
}

}  // namespace
}  // namespace tarry
