// metric_catalogue_test.cpp -- the list of metrics is consistent, and docs/METRICS.md explains each of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

std::string root() {
  const char* root = std::getenv("TARRY_ROOT");
  return root ? root : ".";
}

TEST(Catalogue, NamesAreUniqueAndParentsComeFirst) {
  std::set<std::string> names;
  for (const Metric metric : catalogue()) {
    const MetricInfo& info = info_of(metric);
    EXPECT_TRUE(names.insert(info.unique_name).second) << info.unique_name;
    if (info.parent == Metric::kNone) continue;
    EXPECT_LT(report_position(info.parent), report_position(metric)) << info.unique_name;
    EXPECT_STREQ(info_of(info.parent).unit, info.unit) << info.unique_name;
  }
}

TEST(Catalogue, FilesExist) {
  for (const Metric metric : catalogue()) {
    const MetricInfo& info = info_of(metric);
    EXPECT_TRUE(std::ifstream(root() + "/" + info.file).good()) << info.unique_name << ": " << info.file;
  }
}

TEST(WaitKinds, EachCostHasAWaitThatIsExplainedByIt) {
  std::set<WaitKind> explained;
  for (const WaitInfo& wait : wait_states()) explained.insert(wait.cost);
  for (const CostInfo& cost : wait_costs()) {
    const bool is_idleness = cost.kind == WaitKind::kIdleThreads;  // explains no wait, but time without work
    EXPECT_NE(explained.count(cost.kind) > 0, is_idleness) << cost.label;
  }
}

TEST(WaitKinds, PartsOfAWaitLieBelowOneOfTheSameSource) {
  for (const WaitInfo& wait : wait_states()) {
    if (wait.role != WaitRole::kPart) continue;
    const WaitInfo* whole = wait_state(info_of(wait.metric).parent);
    ASSERT_TRUE(whole) << info_of(wait.metric).unique_name;
    EXPECT_EQ(whole->source, wait.source) << info_of(wait.metric).unique_name;
  }
}

TEST(WaitKinds, NoCompletionAndNoPartIsExplainedByCosts) {
  for (const WaitInfo& wait : wait_states()) {
    if (wait.role != WaitRole::kCompletion && wait.role != WaitRole::kPart) continue;
    EXPECT_EQ(wait.cost, WaitKind::kNone) << info_of(wait.metric).unique_name;
  }
}

TEST(Catalogue, EveryMetricHasAHeadingInTheDocumentation) {
  std::ifstream file(root() + "/docs/METRICS.md");
  std::set<std::string> headings;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("#")) headings.insert(line.substr(line.find(' ') + 1));
  for (const Metric metric : catalogue()) {
    const MetricInfo& info = info_of(metric);
    const std::string heading = std::string(info.display_name) + " (`" + info.unique_name + "`)";
    EXPECT_EQ(headings.count(heading), 1u) << heading;
  }
}

}  // namespace
}  // namespace tarry
