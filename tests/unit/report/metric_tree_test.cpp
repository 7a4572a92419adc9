// metric_tree_test.cpp -- the order metrics are listed in.
#include "report/tree/metric_tree.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

ReportMetric metric(std::uint32_t parent, bool is_ghost = false, bool is_void = false) {
  ReportMetric metric;
  metric.parent = MetricId(parent);
  metric.is_ghost = is_ghost;
  metric.is_void = is_void;
  return metric;
}

std::string listing(const std::vector<ReportMetric>& metrics) {
  std::string text;
  for (const ListedMetric& listed : list_metrics(metrics))
    text += std::to_string(listed.metric.value) + "@" + std::to_string(listed.depth) + " ";
  return text;
}

constexpr std::uint32_t kRoot = 0xffffffffu;

TEST(MetricTree, DepthFirst) {
  EXPECT_EQ(listing({metric(kRoot), metric(kRoot), metric(0), metric(2), metric(0)}), "0@0 2@1 3@2 4@1 1@0 ");
}

TEST(MetricTree, GhostsLastAndVoidGone) {
  const std::vector<ReportMetric> metrics = {metric(kRoot, true), metric(kRoot),          metric(0),
                                             metric(1, true),     metric(1, false, true), metric(4)};
  EXPECT_EQ(listing(metrics), "1@0 5@1 2@0 0@0 3@0 ");
}

TEST(MetricTree, Spellings) {
  EXPECT_EQ(find_metric_kind("DERIVED"), MetricKind::kPostDerived);
  EXPECT_EQ(find_metric_kind("whatever"), MetricKind::kExclusive);
  EXPECT_EQ(metric_kind_text(MetricKind::kInclusive), "INCLUSIVE");
  EXPECT_TRUE(is_derived(MetricKind::kPreDerivedInclusive));
}

}  // namespace
}  // namespace tarry
