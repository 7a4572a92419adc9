// op_regioninfo.cpp -- tarry cube regioninfo: a flat profile with the class of each region.
#include <unistd.h>

#include <algorithm>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "base/text/text_columns.hpp"
#include "ops.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/metrics/region_classes.hpp"
#include "report_input.hpp"
#include "report_items.hpp"
#include "shared_options.hpp"

namespace tarry {
namespace {

struct Line {
  std::string name, kind;
  double visits = 0, seconds = 0;
};

void add_row(std::string& text, const Line& line, double total) {
  add_line(text, pad_right(line.kind, 5) + pad_left(number_for_people(ValueType::kUint64, line.visits), 14) +
                     pad_left(format_seconds(line.seconds), 12) +
                     pad_left(format_percent(total > 0 ? line.seconds / total : 0), 8) +
                     pad_left(format_seconds(line.visits > 0 ? line.seconds / line.visits : 0), 12) + "  " + line.name);
}

}  // namespace

static Result<int> run_regioninfo(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  const ReportStructure& structure = report->structure();
  CubeValues values(*report);
  const auto sums_of = [&](const char* name) {
    std::vector<double> sums(structure.regions.size());
    const MetricId metric = find_metric(structure, name);
    if (!metric.is_valid()) return sums;
    const MetricTotals& totals = values.totals(metric);
    for (std::size_t path = 0; path < totals.exclusive.size(); ++path)
      sums[structure.call_paths[path].region] += totals.exclusive[path];
    return sums;
  };
  const auto visits = sums_of("visits"), seconds = sums_of("time");
  const auto classes = classify_regions(structure);
  std::vector<Line> regions, kinds{{"", "ALL"}};
  for (std::size_t kind = 0; kind < kRegionGroups; ++kind)
    kinds.push_back({"", std::string(name_of(static_cast<RegionGroup>(kind)))});
  for (std::size_t region = 0; region < structure.regions.size(); ++region) {
    if (visits[region] == 0 && seconds[region] == 0) continue;
    const auto kind = static_cast<std::size_t>(classes[region]);
    regions.push_back({structure.regions[region].name, kinds[kind + 1].kind, visits[region], seconds[region]});
    for (Line* sum : {&kinds[0], &kinds[kind + 1]}) {
      sum->visits += visits[region];
      sum->seconds += seconds[region];
    }
  }
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Line& left, const Line& right) { return left.seconds > right.seconds; });
  const double total = kinds[0].seconds;
  const std::size_t columns = text_columns(STDOUT_FILENO);
  std::string text = "class        visits        time    time  time/visit  region\n";
  for (const Line& kind : kinds)
    if (kind.visits > 0 || kind.kind == "ALL") add_row(text, kind, total);
  text += "\n";
  std::vector<std::string> names;
  for (const Line& region : regions) names.push_back(region.name);
  const std::vector<std::string> shown = shown_names(names, "region", options.has_full_names);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const std::size_t start = text.size();
    regions[i].name.clear();
    add_row(text, regions[i], total);
    text.pop_back();
    add_line(text, shorten_to(shown[i], columns, text.size() - start));
  }
  TARRY_TRY(print(text));
  return conclude(values.damage(), options.is_strict);
}

static void add_region_options(CliOptions& line, CliOption, CubeOptions& options) { add_names(line, options); }

Operation regioninfo_operation() {
  return {
      .name = "regioninfo",
      .purpose = "a flat profile with the class of each region",
      .notes = "Classes: MPI, OMP (OpenMP), THR (threads), COM (on a path to one of these), USR.\n\n",
      .examples = R"(  tarry cube regioninfo run/summary.cubex
  tarry cube regioninfo profile.cubex | grep USR
  tarry cube cut --root solve run/summary.cubex -o - | tarry cube regioninfo -
)",
      .see_also = "tarry score, tarry cube topn",
      .add_options = add_region_options,
      .run = run_regioninfo,
  };
}

}  // namespace tarry
