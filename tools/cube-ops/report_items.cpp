// report_items.cpp -- values of a report by metric, region or call path.
#include "report_items.hpp"

#include "report/call_path_tree.hpp"

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

bool is_nested(const ReportStructure& report, std::uint32_t path) {
  for (std::uint32_t at = path; report.call_paths[at].parent.value < at;) {
    at = report.call_paths[at].parent.value;
    if (report.call_paths[at].region == report.call_paths[path].region) return true;
  }
  return false;
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
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
    const double value = is_inclusive ? totals.inclusive[path] : totals.exclusive[path];
    if (per == "callpath") add(items, type, call_path_text(report, CallPathId(path)), value);
    else if (!is_inclusive || !is_nested(report, path))
      add(items, type, report.regions[report.call_paths[path].region].name, value);
  }
  return items;
}

}  // namespace tarry
