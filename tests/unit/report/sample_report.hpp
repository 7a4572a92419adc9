// sample_report.hpp -- a small report with one of everything, for tests.
#pragma once

#include <algorithm>

#include "report/tree/report.hpp"

namespace tarry {

/// A report with three threads in two processes and metrics of every kind:
///   call tree  0 <1 <2 <3>>, 4 <5>> (inclusive rows: 0 1 4 2 3 5)
///   metrics    0 visits, 1 time, 2 time::mpi, 3 min_time, 4 a derived one, 5 a tuple, 6 a ghost
inline Report sample_report() {
  Report report;
  ReportStructure& s = report.structure;
  s.attributes = {{"Creator", "test"}, {"a & b", "\"<c>\""}};
  s.mirrors = {"https://example.org/"};
  s.regions.resize(3);
  s.regions[0].name = "main";
  s.regions[1].name = "a/b\\<int, 'x'>";
  s.regions[1].url = "@mirror@x?a&b";
  s.regions[2].name = "MPI_Send";
  s.regions[2].paradigm = "mpi";
  s.regions[2].attributes = {{"k", "v"}};
  const std::uint32_t regions[] = {0, 1, 1, 2, 1, 2};
  const int parents[] = {-1, 0, 1, 2, 0, 4};
  for (int i = 0; i < 6; ++i) {
    ReportCallPath path;
    path.region = regions[i];
    if (parents[i] >= 0) path.parent = CallPathId(parents[i]);
    s.call_paths.push_back(path);
  }
  s.call_paths[1].numeric_parameters = {{"level", "3"}};
  s.call_paths[3].attributes = {{"leaf", "yes"}};
  s.call_paths[4].string_parameters = {{"kind", "cold"}};
  s.call_paths[4].line = 12;
  s.call_paths[4].module = "ring.c";
  s.system_nodes = {{"cluster", "machine", "", 0xffffffffu, {}}, {"n0", "node", "the node", 0, {{"cores", "2"}}}};
  s.processes = {{"MPI Rank 0", "process", 0, 1, {}}, {"MPI Rank 1", "process", 1, 1, {}}};
  s.locations = {{"Master thread", "thread", 0, 0, {}},
                 {"OMP thread 1", "thread", 1, 0, {}},
                 {"Master thread", "thread", 0, 1, {}}};
  s.topologies = {{"grid", {{"x", 2, true}, {"y", 2, false}}, {{0, {0, 0}}, {1, {0, 1}}, {2, {1, 0}}}}};

  const auto add = [&](const char* name, MetricKind kind, ValueType type) {
    ReportMetric metric;
    metric.unique_name = name;
    metric.display_name = std::string("The ") + name;
    metric.kind = kind;
    metric.type = type;
    return report.add_metric(metric);
  };
  const MetricId visits = add("visits", MetricKind::kExclusive, ValueType::kUint64);
  const MetricId time = add("time", MetricKind::kInclusive, ValueType::kDouble);
  const MetricId mpi = add("time::mpi", MetricKind::kInclusive, ValueType::kDouble);
  s.metrics[mpi.value].parent = time;
  const MetricId least = add("min_time", MetricKind::kExclusive, ValueType::kMinDouble);
  const MetricId derived = add("tpv", MetricKind::kPostDerived, ValueType::kDouble);
  s.metrics[derived.value].expression = "metric::time() / metric::visits()";
  s.metrics[derived.value].init_expression = "{ ${i} = 0; if (${i} < 1) { ${i} = 1; }; return 0; }";
  s.metrics[derived.value].aggregations = {{"plus", "arg1 + arg2"}};
  s.metrics[derived.value].is_rowwise = false;
  const MetricId tuple = add("counter", MetricKind::kExclusive, ValueType::kTauAtomic);
  const MetricId ghost = add("helper", MetricKind::kExclusive, ValueType::kUint32);
  s.metrics[ghost.value].is_ghost = true;

  for (std::uint32_t path = 0; path < 6; ++path)
    for (std::uint32_t location = 0; location < 3; ++location) {
      report.row(visits, CallPathId(path))[location] = 10 * path + location;
      report.row(least, CallPathId(path))[location] = 0.5 + path;
    }
  // Exclusive time of path p at location l is 1 + p + l/8; inclusive sums follow.
  const double below[] = {6, 3, 2, 1, 2, 1};
  const double sums[] = {15, 6, 5, 3, 9, 5};
  for (std::uint32_t path = 0; path < 6; ++path)
    for (std::uint32_t location = 0; location < 3; ++location)
      report.row(time, CallPathId(path))[location] = below[path] * (1 + location / 8.0) + sums[path];
  report.row(mpi, CallPathId(3))[2] = 0.25;
  const double atomic[] = {2, 1, 3, 4, 10};
  std::copy(atomic, atomic + 5, report.row(tuple, CallPathId(5)).begin() + 5);
  report.row(ghost, CallPathId(5))[1] = 7;
  report.files = {{"remapping.spec", std::vector<std::uint8_t>(512, ' ')}};
  return report;
}

}  // namespace tarry
