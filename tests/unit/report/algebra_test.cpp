// algebra_test.cpp -- reports computed from reports whose trees differ.
#include "report/algebra/algebra.hpp"

#include <gtest/gtest.h>

#include <cfloat>

#include "defs/processor_use.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/tree/unify_reports.hpp"

namespace tarry {
namespace {

// A report with the call paths named ("main", "main/solve", ...), `ranks` processes, time inclusive and visits, minima.
class Sample {
 public:
  Sample(std::vector<std::string> paths, std::vector<int> ranks, double seconds) {
    ReportStructure& s = report.structure;
    s.system_nodes = {{"cluster", "machine", "", 0xffffffffu, {}}, {"n0", "node", "", 0, {}}};
    for (const int rank : ranks) {
      s.processes.push_back({"rank", "process", rank, 1, {}});
      s.locations.push_back({"master", "thread", 0, static_cast<std::uint32_t>(s.processes.size() - 1), {}});
    }
    add("visits", MetricKind::kExclusive, ValueType::kUint64);
    add("time", MetricKind::kInclusive, ValueType::kDouble);
    add("min_time", MetricKind::kExclusive, ValueType::kMinDouble);
    for (const std::string& path : paths) {
      ReportCallPath facts;
      facts.region = static_cast<std::uint32_t>(s.regions.size());
      s.regions.emplace_back().name = path.substr(path.rfind('/') + 1);
      for (std::size_t i = 0; i < s.call_paths.size(); ++i)
        if (path.starts_with(paths[i] + "/")) facts.parent = CallPathId(i);
      s.call_paths.push_back(facts);
    }
    const CallPathTree tree(s.call_paths);
    for (std::uint32_t path = static_cast<std::uint32_t>(paths.size()); path-- > 0;)
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        double& time = report.row(MetricId(1), CallPathId(path))[rank];
        time = seconds;
        for (const std::uint32_t child : tree.children(path)) time += report.row(MetricId(1), CallPathId(child))[rank];
        report.row(MetricId(0), CallPathId(path))[rank] = 3;
        report.row(MetricId(2), CallPathId(path))[rank] = seconds / 3;
      }
  }

  Report report;

 private:
  void add(const char* name, MetricKind kind, ValueType type) {
    ReportMetric metric;
    metric.unique_name = name;
    metric.kind = kind;
    metric.type = type;
    report.add_metric(metric);
  }
};

Report combine(const Report& left, const Report& right, Combination combination, UnifyOptions options = {}) {
  const ReportCube a(left), b(right);
  const ReportStructure* structures[] = {&left.structure, &right.structure};
  const std::string names[] = {"left", "right"};
  auto mapped = unify_reports(structures, names, options);
  EXPECT_TRUE(mapped.ok());
  return load_report(CombinedCube({&a, &b}, std::move(*mapped), combination));
}

// Exclusive value of a call path by its text.
double value(const Report& report, const char* metric, const std::string& path, std::uint32_t location = 0) {
  for (std::uint32_t at = 0; at < report.structure.call_paths.size(); ++at)
    if (call_path_text(report.structure, CallPathId(at)) == path)
      return report.exclusive(report.find_metric(metric), CallPathId(at), location);
  ADD_FAILURE() << "no call path " << path;
  return 0;
}

const std::vector<std::string> kSmall{"main", "main/a"}, kLarge{"main", "main/a", "main/b", "main/b/c"};

TEST(Algebra, DifferenceCountsWhatIsAbsentAsZero) {
  const Report result =
      combine(Sample(kSmall, {0, 1}, 5).report, Sample(kLarge, {0, 1, 2}, 2).report, Combination::kDifference);
  EXPECT_EQ(result.structure.call_paths.size(), 4u);
  EXPECT_EQ(result.structure.locations.size(), 3u);
  EXPECT_EQ(result.structure.metrics[0].type, ValueType::kInt64);
  EXPECT_EQ(value(result, "time", "main"), 3);
  EXPECT_EQ(value(result, "time", "main/b/c"), -2);
  EXPECT_EQ(value(result, "time", "main/a", 2), -2);
  EXPECT_EQ(value(result, "visits", "main/b"), -3);
  EXPECT_EQ(value(result, "visits", "main"), 0);
  EXPECT_EQ(value(result, "min_time", "main"), 1);
  EXPECT_EQ(value(result, "min_time", "main/b"), DBL_MAX);  // there is no difference of one value
}

TEST(Algebra, ADifferenceWithItselfIsNothing) {
  const Report report = Sample(kLarge, {0, 1}, 0.1).report;
  const Report result = combine(report, report, Combination::kDifference);
  for (const std::string& path : kLarge) EXPECT_EQ(value(result, "time", path, 1), 0);
}

TEST(Algebra, MeansOfWholeNumbersDropFractionsUnlessTheyAreExact) {
  const Report a = Sample(kSmall, {0}, 5).report, b = Sample(kLarge, {0}, 2).report;
  const Report mean = combine(a, b, Combination::kMean), exact = combine(a, b, Combination::kExactMean);
  EXPECT_EQ(value(mean, "visits", "main"), 2);
  EXPECT_EQ(value(exact, "visits", "main"), 3);
  EXPECT_EQ(value(mean, "time", "main"), 3.5);
  EXPECT_EQ(value(mean, "time", "main/b/c"), 1);
  EXPECT_DOUBLE_EQ(value(mean, "min_time", "main"), 2 / 3.0);
}

TEST(Algebra, ExtremesAreOfExclusiveValuesThatAreThere) {
  const Report a = Sample(kSmall, {0}, 5).report, b = Sample(kLarge, {0}, 2).report;
  const Report least = combine(a, b, Combination::kMinimum), most = combine(a, b, Combination::kMaximum);
  EXPECT_EQ(value(least, "time", "main"), 2);
  EXPECT_EQ(value(most, "time", "main"), 5);
  EXPECT_EQ(value(least, "time", "main/b"), 2);
  EXPECT_EQ(value(most, "time", "main/b/c"), 2);
}

TEST(Algebra, TheLastReportThatHasAValueCounts) {
  const Report result =
      combine(Sample(kSmall, {0, 1}, 5).report, Sample(kLarge, {1, 2}, 2).report, Combination::kMerge);
  EXPECT_EQ(value(result, "visits", "main", 0), 3);
  EXPECT_EQ(value(result, "time", "main/a", 0), 5);
  EXPECT_EQ(value(result, "time", "main/a", 1), 2);
  EXPECT_EQ(value(result, "time", "main/b", 0), 0);
}

TEST(Algebra, RegionsThatMovedInTheirFileMatchByName) {
  const Report a = Sample(kSmall, {0}, 5).report;
  Report b = Sample(kSmall, {0}, 5).report;
  for (ReportRegion& region : b.structure.regions) region.begin_line = 7;
  EXPECT_EQ(combine(a, b, Combination::kDifference).structure.call_paths.size(), 4u);
  EXPECT_EQ(combine(a, b, Combination::kDifference, {SystemShape::kAsIs, true}).structure.call_paths.size(), 2u);
}

TEST(Algebra, MetricsThatHaveNothingInCommonAreRefused) {
  const Report a = Sample(kSmall, {0}, 5).report;
  Report b = Sample(kSmall, {0}, 5).report;
  b.structure.metrics[1].type = ValueType::kMaxDouble;
  const ReportStructure* structures[] = {&a.structure, &b.structure};
  const std::string names[] = {"a", "b"};
  EXPECT_FALSE(unify_reports(structures, names, {}).ok());
}

TEST(Algebra, ProcessesOfSeveralRunsHaveNoAccountOfProcessors) {
  Report a = Sample(kSmall, {0, 1}, 5).report, b = Sample(kSmall, {0, 1}, 5).report;
  for (Report* report : {&a, &b})
    for (ReportProcess& process : report->structure.processes)
      process.attributes = {{kProcessorUseAttribute, "wall_ns=1"}};
  b.structure.processes[1].attributes[0].second = "wall_ns=2";
  const ReportStructure merged = combine(a, b, Combination::kMerge).structure;
  EXPECT_EQ(merged.processes[0].attributes.size(), 1u);
  EXPECT_TRUE(merged.processes[1].attributes.empty());
}

TEST(Algebra, SystemsAreReducedWhenAsked) {
  Report a = Sample(kSmall, {0}, 5).report;
  a.structure.system_nodes = {{"site", "site", "", 0xffffffffu, {}},
                              {"cluster", "machine", "", 0, {}},
                              {"rack", "rack", "", 1, {}},
                              {"n0", "node", "", 2, {}}};
  a.structure.processes[0].node = 3;
  const auto classes = [&](SystemShape shape) {
    std::string all;
    for (const auto& node : combine(a, a, Combination::kMerge, {shape, false}).structure.system_nodes)
      all += node.class_name + ":" + node.name + " ";
    return all;
  };
  EXPECT_EQ(classes(SystemShape::kAsIs), "site:site machine:cluster rack:rack node:n0 ");
  EXPECT_EQ(classes(SystemShape::kReduced), "machine:cluster node:n0 ");
  EXPECT_EQ(classes(SystemShape::kCollapsed), "machine:Virtual machine node:Virtual node ");
}

TEST(Algebra, WhatIsPrunedGoesToItsParent) {
  const Report report = Sample(kLarge, {0}, 2).report;
  const ReportCube source(report);
  const Report result =
      load_report(CombinedCube({&source}, prune_regions(report.structure, {"b"}), Combination::kMerge));
  EXPECT_EQ(result.structure.call_paths.size(), 2u);
  EXPECT_EQ(value(result, "time", "main"), 6);
  EXPECT_EQ(value(result, "visits", "main"), 9);
  EXPECT_EQ(value(result, "time", "main/a"), 2);
}

TEST(Algebra, CutPathsAreRoots) {
  const Report report = Sample(kLarge, {0}, 2).report;
  const ReportCube source(report);
  const Report result =
      load_report(CombinedCube({&source}, cut_to_roots(report.structure, {"b", "a"}), Combination::kMerge));
  EXPECT_EQ(value(result, "time", "b"), 2);
  EXPECT_EQ(value(result, "time", "b/c"), 2);
  EXPECT_EQ(value(result, "time", "a"), 2);
  EXPECT_EQ(result.structure.regions.size(), 3u);
}

TEST(Algebra, PartsHoldOnlyWhatTheyNeed) {
  Report report = Sample(kSmall, {0, 1, 2}, 2).report;
  report.structure.system_nodes.push_back({"n1", "node", "", 0, {}});
  report.structure.processes[2].node = 2;
  const ReportCube source(report);
  const Report result =
      load_report(CombinedCube({&source}, keep_locations(report.structure, {false, false, true}), Combination::kMerge));
  EXPECT_EQ(result.structure.system_nodes.size(), 2u);
  EXPECT_EQ(result.structure.system_nodes[1].name, "n1");
  EXPECT_EQ(result.structure.processes[0].rank, 2);
  EXPECT_EQ(value(result, "time", "main/a"), 2);
}

}  // namespace
}  // namespace tarry
