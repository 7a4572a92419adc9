// report_items.cpp -- values of a report by metric, region or call path.
#include "report_items.hpp"

#include <algorithm>

#include "base/text/format.hpp"
#include "base/text/function_name.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {
namespace {

void add(ReportItems& items, ValueType type, const std::string& name, double value) {
  const auto [known, is_new] = items.values.try_emplace(name, value);
  if (is_new) {
    items.names.push_back(name);
  } else {
    combine_values({is_additive(type) ? ValueType::kDouble : type}, {&known->second, 1}, {&value, 1});
  }
}

}  // namespace

std::vector<bool> nested_paths(const ReportStructure& report, const CallPathTree& tree) {
  std::vector<bool> is_nested(report.call_paths.size());
  std::vector<std::uint32_t> open, open_count(report.regions.size());  // paths from a root down, and their regions
  for (const std::uint32_t path : tree.preorder()) {
    const ReportCallPath& facts = report.call_paths[path];
    for (; !open.empty() && open.back() != facts.parent.value; open.pop_back())
      --open_count[report.call_paths[open.back()].region];
    is_nested[path] = open_count[facts.region]++ > 0;
    open.push_back(path);
  }
  return is_nested;
}

std::vector<std::string> shown_names(const std::vector<std::string>& items, const std::string& per, bool is_whole) {
  if (is_whole) return items;
  return per == "callpath" ? short_path_texts(items) : short_names(items);
}

std::string shorten_to(const std::string& name, std::size_t columns, std::size_t used) {
  constexpr std::size_t kLeast = 24;
  return shorten_middle(name, std::max(kLeast, columns - std::min(columns, used)));
}

ReportItems items_of(CubeValues& values, MetricId metric, const std::string& per, bool is_inclusive) {
  const ReportStructure& report = values.source().structure();
  const MetricTotals& totals = values.totals(metric);
  const ValueType type = report.metrics[metric.value].type;
  ReportItems items;
  items.whole = totals.whole;
  if (per == "metric") {
    add(items, type, "", totals.whole);
    return items;
  }
  const std::vector<bool> is_nested = nested_paths(report, values.source().call_tree());
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
    const double value = is_inclusive ? totals.inclusive[path] : totals.exclusive[path];
    if (per == "callpath") add(items, type, call_path_text(report, CallPathId(path)), value);
    else if (!is_inclusive || !is_nested[path])
      add(items, type, report.regions[report.call_paths[path].region].name, value);
  }
  return items;
}

}  // namespace tarry
