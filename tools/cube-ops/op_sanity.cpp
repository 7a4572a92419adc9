// op_sanity.cpp -- tarry cube sanity: whether names and values of a report can be right.
#include <algorithm>
#include <cmath>

#include "base/text/printable.hpp"
#include "ops.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/tree/metric_tree.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

// One check: how many of what was looked at is right, and the first that is not.
struct Check {
  std::string name;
  std::size_t good = 0, all = 0;
  std::string first_bad = "";

  /// what() names what was checked.
  template <class What>
  void add(bool is_good, What what) {
    ++all;
    good += is_good;
    if (!is_good && first_bad.empty()) first_bad = what();
  }
};

void check_values(CubeValues& values, std::vector<Check>& checks) {
  const ReportStructure& report = values.source().structure();
  Check finite{"values are finite"}, positive{"no value is negative"};
  std::vector<double> row;
  for (std::uint32_t metric = 0; metric < report.metrics.size(); ++metric) {
    const ReportMetric& facts = report.metrics[metric];
    if (facts.is_void || is_derived(facts.kind)) continue;
    for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
      if (!values.row(MetricId(metric), CallPathId(path), Flavour::kExclusive, row)) continue;
      const auto what = [&] { return facts.unique_name + " of " + call_path_text(report, CallPathId(path)); };
      finite.add(std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); }), what);
      if (facts.type != ValueType::kMaxDouble)
        positive.add(std::all_of(row.begin(), row.end(), [](double value) { return !(value < 0); }), what);
    }
  }
  checks.push_back(finite);
  checks.push_back(positive);
}

void check_names(const ReportStructure& report, std::vector<Check>& checks) {
  Check named{"regions have names"}, used{"regions are on a call path"}, lines{"lines of regions are in order"};
  std::vector<bool> is_used(report.regions.size());
  for (const ReportCallPath& path : report.call_paths) is_used[path.region] = true;
  for (std::size_t region = 0; region < report.regions.size(); ++region) {
    const ReportRegion& facts = report.regions[region];
    const auto name = [&] { return facts.name; };
    named.add(!facts.name.empty(), [&] { return "region " + std::to_string(region); });
    used.add(is_used[region], name);
    lines.add(facts.begin_line < 0 || facts.end_line < 0 || facts.begin_line <= facts.end_line, name);
  }
  Check ranks{"ranks are different"};
  std::vector<std::pair<std::string, std::int64_t>> known;
  for (const ReportProcess& process : report.processes) known.emplace_back(process.type, process.rank);
  std::sort(known.begin(), known.end());
  for (std::size_t i = 0; i < known.size(); ++i)
    ranks.add(i == 0 || known[i] != known[i - 1], [&] { return "rank " + std::to_string(known[i].second); });
  for (const Check& check : {named, used, lines, ranks}) checks.push_back(check);
}

}  // namespace

static Result<int> run_sanity(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  CubeValues values(*report);
  std::vector<Check> checks;
  check_names(report->structure(), checks);
  check_values(values, checks);
  std::string text;
  bool is_sane = true;
  for (const Check& check : checks) {
    // Score-P lists all functions of MPI: a region that is on no call path is no fault.
    const bool is_remark = check.name == "regions are on a call path";
    add_line(text, "check " + check.name + ": " + std::to_string(check.good) + " / " + std::to_string(check.all) +
                       (check.good == check.all ? " OK"
                        : is_remark             ? " (no fault)"
                                                : ": first wrong one: " + check.first_bad));
    is_sane = is_sane && (is_remark || check.good == check.all);
  }
  TARRY_TRY(print(text));
  return std::max(is_sane ? 0 : 1, conclude(values.damage(), options.is_strict));
}

Operation sanity_operation() {
  return {
      .name = "sanity",
      .purpose = "checks names and values: status 1 if they are wrong",
      .examples = R"(  tarry cube sanity run/analysis.cubex
  tarry cube sanity --strict damaged.cubex
  tarry cube diff a.cubex a.cubex -o - | tarry cube sanity -
)",
      .see_also = "tarry cube info, tarry archive verify",
      .run = run_sanity,
  };
}

}  // namespace tarry
