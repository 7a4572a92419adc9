// heap_findings_test.cpp -- which leak is told, and whose peak.
#include "findings/heap_findings.hpp"

#include <gtest/gtest.h>

#include "findings/findings.hpp"
#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

struct HeapExample : Example {
  MetricId bytes = add_metric(report, "heap_leaked", "heap_leaked", MetricKind::kExclusive, {}, "bytes");
  MetricId blocks = add_metric(report, "heap_leaked_blocks", "heap_leaked_blocks", MetricKind::kExclusive, {}, "");
  MetricId at_peak = add_metric(report, "heap_at_peak", "heap_at_peak", MetricKind::kExclusive, {}, "bytes");
};

TEST(HeapFindings, LargestLeakOfAFunctionIsTold) {
  HeapExample example;
  const CallPathId again =
      add_path(example.report, example.report.structure.call_paths[example.compute.value].region, example.compute);
  set(example.report, example.bytes, example.compute, {1e6, 0, 2e6});
  set(example.report, example.bytes, again, {0, 0, 5e6});
  set(example.report, example.blocks, example.compute, {1, 0, 2});
  set(example.report, example.blocks, again, {0, 0, 17});
  set(example.report, example.bytes, example.allreduce, {9e6, 9e6, 9e6});  // the library's own
  set(example.report, example.blocks, example.allreduce, {900, 900, 900});
  const auto leak = find_heap(example.report).leak;
  ASSERT_TRUE(leak);
  EXPECT_EQ(example.report.structure.regions[leak->region].name, "compute");
  EXPECT_EQ(leak->call_path, again);
  EXPECT_DOUBLE_EQ(leak->bytes, 8e6);
  EXPECT_DOUBLE_EQ(leak->blocks, 20);
  EXPECT_EQ(leak->worst, ReportRank(2));
}

TEST(HeapFindings, WhatLivesToTheEndIsNoLeak) {
  HeapExample example;
  set(example.report, example.bytes, example.compute, {1e9, 1e9, 1e9});  // arrays
  set(example.report, example.blocks, example.compute, {3, 3, 3});
  set(example.report, example.bytes, example.root, {1e4, 1e4, 1e4});  // little
  set(example.report, example.blocks, example.root, {1e4, 1e4, 1e4});
  EXPECT_FALSE(find_heap(example.report).leak);
  EXPECT_FALSE(find_heap(example.report).peak);
  EXPECT_FALSE(find_heap(Example().report).leak);
}

TEST(HeapFindings, PeakIsOfTheProcessThatHadMost) {
  HeapExample example;
  set(example.report, example.at_peak, example.compute, {10, 60, 20});
  set(example.report, example.at_peak, example.root, {85, 20, 30});
  const auto peak = find_heap(example.report).peak;
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->rank, ReportRank(0));
  EXPECT_DOUBLE_EQ(peak->bytes, 95);
  EXPECT_EQ(peak->call_path, example.root);
  EXPECT_DOUBLE_EQ(peak->at_path, 85);
}

}  // namespace
}  // namespace tarry
