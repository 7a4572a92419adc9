// metric_tree.cpp -- the metrics of a report as a tree.
#include "report/tree/metric_tree.hpp"

#include <iterator>

namespace tarry {
namespace {

struct KindText {
  MetricKind kind;
  std::string_view text;
};

// The first spelling of a kind is the one we write. SIMPLE rows are read by everybody as inclusive ones.
constexpr KindText kKindTexts[] = {
    {MetricKind::kExclusive, "EXCLUSIVE"},
    {MetricKind::kInclusive, "INCLUSIVE"},
    {MetricKind::kInclusive, "SIMPLE"},
    {MetricKind::kPostDerived, "POSTDERIVED"},
    {MetricKind::kPostDerived, "DERIVED"},
    {MetricKind::kPreDerivedExclusive, "PREDERIVED_EXCLUSIVE"},
    {MetricKind::kPreDerivedInclusive, "PREDERIVED_INCLUSIVE"},
};

// Depth-first list of the metrics that are ghosts, or of those that are not.
void list_forest(const std::vector<ReportMetric>& metrics, bool ghosts, std::vector<ListedMetric>& listed) {
  const auto belongs = [&](std::uint32_t metric) {
    return !metrics[metric].is_void && metrics[metric].is_ghost == ghosts;
  };
  std::vector<std::vector<std::uint32_t>> children(metrics.size() + 1);  // the last one: roots
  for (std::uint32_t metric = 0; metric < metrics.size(); ++metric) {
    if (!belongs(metric)) continue;
    std::uint32_t below = metric;
    std::uint32_t parent = metrics[metric].parent.value;
    while (parent < below && !belongs(parent)) {
      below = parent;
      parent = metrics[below].parent.value;
    }
    children[parent < below ? parent : metrics.size()].push_back(metric);
  }
  std::vector<ListedMetric> open;
  const auto push = [&](const std::vector<std::uint32_t>& list, std::uint32_t depth) {
    for (auto metric = list.rbegin(); metric != list.rend(); ++metric) open.push_back({MetricId(*metric), depth});
  };
  push(children[metrics.size()], 0);
  while (!open.empty()) {
    const ListedMetric next = open.back();
    open.pop_back();
    listed.push_back(next);
    push(children[next.metric.value], next.depth + 1);
  }
}

}  // namespace

std::string_view metric_kind_text(MetricKind kind) {
  for (const KindText& known : kKindTexts)
    if (known.kind == kind) return known.text;
  return kKindTexts[0].text;
}

MetricKind find_metric_kind(std::string_view text) {
  for (const KindText& known : kKindTexts)
    if (known.text == text) return known.kind;
  return MetricKind::kExclusive;
}

bool is_derived(MetricKind kind) { return kind != MetricKind::kExclusive && kind != MetricKind::kInclusive; }

MetricId find_metric(const ReportStructure& report, std::string_view unique_name) {
  for (std::size_t i = 0; i < report.metrics.size(); ++i)
    if (report.metrics[i].unique_name == unique_name) return MetricId(i);
  return {};
}

std::vector<ListedMetric> list_metrics(const std::vector<ReportMetric>& metrics) {
  std::vector<ListedMetric> listed;
  list_forest(metrics, false, listed);
  list_forest(metrics, true, listed);
  return listed;
}

}  // namespace tarry
