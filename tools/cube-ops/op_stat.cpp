// op_stat.cpp -- tarry cube stat: how values are distributed over threads.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "base/text/text.hpp"
#include "base/text/text_columns.hpp"
#include "ops.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/tree/metric_tree.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"
#include "report_items.hpp"

namespace tarry {
namespace {

// Statistics of one row; `on` counts the threads with a value other than zero, the others count as zero.
struct Statistics {
  std::size_t on = 0, all = 0;
  double sum = 0, mean = 0, deviation = 0, least = 0, lower = 0, median = 0, upper = 0, most = 0;
};

// Between neighbours values go linearly.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (place - static_cast<double>(below)) * (above - sorted[below]);
}

Statistics statistics_of(std::vector<double> values) {
  Statistics result;
  std::sort(values.begin(), values.end());
  result.all = values.size();
  result.on = values.size() - static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0));
  if (values.empty()) return result;
  result.sum = std::accumulate(values.begin(), values.end(), 0.0);
  result.mean = result.sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / static_cast<double>(values.size()));
  result.least = values.front();
  result.lower = quantile(values, 0.25);
  result.median = quantile(values, 0.5);
  result.upper = quantile(values, 0.75);
  result.most = values.back();
  return result;
}

// Rows by region or call path, in document order; inclusive rows of nested calls of a region count once.
class RowsByItem {
 public:
  RowsByItem(CubeValues& values, const CubeOptions& options) : values_(values), options_(options) {}

  std::vector<std::pair<std::string, std::vector<double>>> collect(MetricId metric) const {
    const ReportStructure& report = values_.source().structure();
    std::vector<std::pair<std::string, std::vector<double>>> rows;
    std::unordered_map<std::string, std::size_t> known;
    std::vector<double> row;
    const std::vector<bool> is_nested = nested_paths(report, values_.source().call_tree());
    for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
      const std::string& region = report.regions[report.call_paths[path].region].name;
      const auto& wanted = options_.regions;
      const bool is_wanted = wanted.empty() || std::find(wanted.begin(), wanted.end(), region) != wanted.end();
      const bool is_repeated = options_.by == "region" && options_.is_inclusive && is_nested[path];
      if (!is_wanted || is_repeated) continue;
      values_.row(metric, CallPathId(path), options_.is_inclusive ? Flavour::kInclusive : Flavour::kExclusive, row);
      for (double& value : row)
        if (is_neutral_number(report.metrics[metric.value].type, value)) value = 0;
      const std::string name = options_.by == "callpath" ? call_path_text(report, CallPathId(path)) : region;
      const auto [entry, is_new] = known.try_emplace(name, rows.size());
      if (is_new) rows.emplace_back(name, std::vector<double>(row.size()));
      auto& sums = rows[entry->second].second;
      for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
    }
    return rows;
  }

 private:
  CubeValues& values_;
  const CubeOptions& options_;
};

void add_statistics(CsvWriter& out, const std::string& metric, const std::string& name, const Statistics& facts) {
  out.add(metric).add(name).add(facts.on).add(facts.all);
  for (const double value :
       {facts.sum, facts.mean, facts.deviation, facts.least, facts.lower, facts.median, facts.upper, facts.most})
    out.add(value);
  out.end_row();
}

std::string text_line(ValueType type, const std::string& name, const Statistics& facts, std::size_t columns) {
  std::string line;
  for (const double value : {facts.sum, facts.mean, facts.deviation, facts.least, facts.median, facts.most})
    line += pad_left(number_for_people(type, value), 11);
  std::string text;
  line += "  " + pad_right(std::to_string(facts.on) + " of " + std::to_string(facts.all), 12);
  add_line(text, line + shorten_to(name, columns, line.size()));
  return text;
}

}  // namespace

static Result<int> run_stat(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report_by_function(options.inputs[0]));
  const ReportStructure& structure = report->structure();
  CubeValues values(*report);
  std::string text;
  CsvWriter csv("metric," + options.by + ",on,of,sum,mean,deviation,min,q25,median,q75,max");
  const RowsByItem rows(values, options);
  const std::size_t columns = text_columns(STDOUT_FILENO);
  for (const std::string& name : split_list(options.metrics)) {
    TARRY_TRY_ASSIGN(metric, choose_metric(structure, name));
    const ReportMetric& facts = structure.metrics[metric.value];
    if (!options.is_csv) {
      add_line(text, facts.display_name + (facts.unit.empty() ? "" : " (" + facts.unit + ")") +
                         (options.is_inclusive ? ", inclusive" : ", exclusive"));
      add_line(text, "        sum       mean  deviation        min     median        max  on threads  " + options.by);
    }
    auto items = rows.collect(metric);
    std::vector<std::string> names;
    for (const auto& [item, row] : items) names.push_back(item);
    const bool is_whole = options.is_csv || options.has_full_names;
    const std::vector<std::string> shown = shown_names(names, options.by, is_whole);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Statistics statistics = statistics_of(std::move(items[i].second));
      if (options.is_csv) add_statistics(csv, facts.unique_name, shown[i], statistics);
      else text += text_line(facts.type, shown[i], statistics, columns);
    }
  }
  TARRY_TRY(print(options.is_csv ? csv.take() : text));
  return conclude(values.damage(), options.is_strict);
}

static void add_stat_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-m,--metrics", options.metrics, "comma list of metrics (default: time)");
  line.option("-r,--region", options.regions, "only this region; may be repeated").one_at_a_time();
  line.flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  line.flag("--csv", options.is_csv, "comma-separated, 17 significant digits");
  add_items(line, options);
  add_names(line, options);
}

Operation stat_operation() {
  return {
      .name = "stat",
      .purpose = "how values are distributed over threads",
      .notes = "A thread without a value counts as zero; `on` is the number of threads with one.\n\n",
      .examples = R"(  tarry cube stat run/analysis.cubex
  tarry cube stat -m time,visits --by callpath --csv run/summary.cubex
  tarry cube diff after.cubex before.cubex -o - | tarry cube stat -r solve -
)",
      .see_also = "tarry cube topn, tarry cube calltree",
      .add_options = add_stat_options,
      .run = run_stat,
  };
}

}  // namespace tarry
