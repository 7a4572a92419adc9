// op_cmp.cpp -- tarry cube cmp: what moved, against one report or the spread of several.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text/format.hpp"
#include "base/text/text.hpp"
#include "findings/verdicts.hpp"
#include "store/open_store.hpp"
#include "store/run_filter.hpp"
#include "changes.hpp"
#include "baseline.hpp"
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"
#include "report_items.hpp"

namespace tarry {
namespace {

// One item in the old reports and in the new one.
struct Change {
  std::vector<double> old;
  double now = 0;

  double mean() const { return std::accumulate(old.begin(), old.end(), 0.0) / static_cast<double>(old.size()); }

  // Within the spread of the old reports nothing has moved; beyond it, what differs by more than the tolerance has.
  bool has_moved(double tolerance) const {
    const auto [least, most] = std::minmax_element(old.begin(), old.end());
    if (now >= *least && now <= *most) return false;
    return std::abs(now - mean()) > tolerance * std::abs(mean());
  }

  bool is_wanted(const std::string& direction) const {
    return direction.empty() || (direction == "increase") == (now > mean());
  }
};

std::string change_text(const Change& change, const ReportMetric& metric) {
  const double before = change.mean();
  const std::string unit = metric.unit.empty() ? "" : " " + metric.unit;
  const std::string now = number_for_people(metric.type, change.now);
  const std::string text = number_for_people(metric.type, before) + " -> " + now + unit;
  const std::string relative = relative_text(before, change.now);
  return relative.empty() ? text : text + ", " + relative;
}

// The names as people read them; programs that read the other formats get whole ones.
void shorten_names(std::vector<Verdict>& verdicts, const std::string& per) {
  std::vector<std::string> names;
  for (const Verdict& verdict : verdicts)
    if (verdict.has_failed) names.push_back(verdict.name);
  const std::vector<std::string> shown = shown_names(names, per, false);
  std::size_t next = 0;
  for (Verdict& verdict : verdicts)
    if (verdict.has_failed) verdict.name = shown[next++];
}

// Compares one metric of all reports.
class Comparison {
 public:
  Comparison(const CubeOptions& options, std::vector<CubeValues*> reports)
      : options_(options), reports_(std::move(reports)) {}

  // Of one metric, the largest changes first.
  Status compare(const std::string& name, std::vector<Verdict>& verdicts) {
    std::vector<ReportItems> items;
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const auto metric = choose_metric(reports_[i]->source().structure(), name);
      if (!metric.ok()) return Error{options_.inputs[i], metric.error().text(), ""};
      items.push_back(items_of(*reports_[i], metric.value(), options_.per, options_.is_inclusive));
    }
    const ReportStructure& first = reports_[0]->source().structure();
    const ReportMetric& facts = first.metrics[choose_metric(first, name).value().value];
    std::vector<std::string> names;
    std::unordered_map<std::string, bool> is_known;
    for (const ReportItems& report : items)
      for (const std::string& item : report.names)
        if (is_known.try_emplace(item, true).second) names.push_back(item);
    const auto first_verdict = static_cast<std::ptrdiff_t>(verdicts.size());
    for (const std::string& item : names) judge(item, items, facts, verdicts);
    std::stable_sort(verdicts.begin() + first_verdict, verdicts.end(),
                     [](const Verdict& left, const Verdict& right) { return left.size > right.size; });
    return {};
  }

 private:
  void judge(const std::string& item, const std::vector<ReportItems>& items, const ReportMetric& facts,
             std::vector<Verdict>& verdicts) const {
    Change change;
    double whole = 0;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      change.old.push_back(items[i].of(item));
      whole = std::max(whole, std::abs(items[i].whole));
    }
    change.now = items.back().of(item);
    if (std::max(std::abs(change.mean()), std::abs(change.now)) < options_.floor * whole) return;
    verdicts.push_back({facts.unique_name, item, change_text(change, facts),
                        change.has_moved(options_.tolerance) && change.is_wanted(options_.only),
                        std::abs(change.now - change.mean())});
  }

  const CubeOptions& options_;
  std::vector<CubeValues*> reports_;
};

std::string summary_of(const std::vector<Verdict>& verdicts, const CubeOptions& options) {
  const auto moved = static_cast<std::uint64_t>(
      std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.has_failed; }));
  const std::string what = options.per == "callpath" ? "call path" : options.per;
  const std::size_t old = options.inputs.size() - 1;
  return std::to_string(moved) + " of " + format_count(verdicts.size(), what) + " moved by more than " +
         format_percent(options.tolerance) +
         (old > 1 ? " and out of the spread of " + std::to_string(old) + " reports" : "");
}

}  // namespace

// With --store its runs come before the reports that are named.
static Result<int> run_cmp(const CubeOptions& given) {
  CubeOptions options = given;
  TARRY_TRY_ASSIGN(reports, open_reports_by_function(options.inputs));
  std::unique_ptr<Database> store;
  if (!options.store.empty()) {
    TARRY_TRY_ASSIGN(opened, open_store(options.store, StoreAccess::kRead));
    store = std::move(opened);
    TARRY_TRY_ASSIGN(baseline, open_baseline(*store, options.where, *reports.back()));
    for (std::size_t i = 0; i < baseline.reports.size(); ++i) {
      reports.insert(reports.begin() + static_cast<std::ptrdiff_t>(i), std::move(baseline.reports[i]));
      options.inputs.insert(options.inputs.begin() + static_cast<std::ptrdiff_t>(i), baseline.names[i]);
    }
  }
  std::vector<std::unique_ptr<CubeValues>> values;
  std::vector<CubeValues*> pointers;
  std::vector<const ReportStructure*> structures;
  for (const OpenReport& report : reports) {
    structures.push_back(&report->structure());
    values.push_back(std::make_unique<CubeValues>(*report));
    pointers.push_back(values.back().get());
  }
  Comparison comparison(options, std::move(pointers));
  std::vector<Verdict> verdicts;
  for (const std::string& metric : split_list(options.metrics)) TARRY_TRY(comparison.compare(metric, verdicts));
  if (options.format == "text" && options.per != "metric" && !options.has_full_names)
    shorten_names(verdicts, options.per);
  TARRY_TRY(print_verdicts(verdicts, summary_of(verdicts, options), options.format,
                           structure_differences(structures, options.inputs)));
  std::vector<std::string> damage;
  for (const auto& report : values)
    for (const std::string& line : report->damage()) damage.push_back(line);
  return std::max(status_of(verdicts), conclude(damage, options.is_strict));
}

static void add_cmp_options(CliOptions& line, CliOption inputs, CubeOptions& options) {
  inputs.count(1, kMostReports);
  line.option("-m,--metric", options.metrics, "the metrics to compare, a comma list (default: time)");
  line.share("-t,--tolerance", options.tolerance, "what may differ (default: 5%)", 1e6);
  line.option("--per", options.per, "metric, region or callpath (default: metric)")
      .one_of({"metric", "region", "callpath"});
  line.flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  line.option("--only", options.only, "increase or decrease: the other direction is no fault")
      .one_of({"increase", "decrease"});
  line.share("--ignore-below", options.floor, "pass over what is below this share of the metric's total", 1);
  line.option("--store", options.store, "old reports: the last runs of the same program and size in this store");
  line.option("--where", options.where, "of these only: NAME OPERATOR VALUE, joined by 'and' (tarry store)");
  add_format(line, options);
  add_names(line, options);
}

static Status check_cmp(const CubeOptions& options) {
  TARRY_TRY(RunFilter::parse(options.where).ok() ? Status() : Status(RunFilter::parse(options.where).error()));
  if (options.inputs.size() > 1 || !options.store.empty()) return {};
  return Error{"usage", "cmp needs an old report", "name one before the new one, or give --store"};
}

Operation cmp_operation() {
  return {
      .name = "cmp",
      .purpose = "the values that moved: status 1 if one did",
      .notes = R"(The last report is the new one, those before are old. A value has moved if it lies
outside the spread of the old ones and differs from their mean by more than the
tolerance. What only some reports have counts as zero in the others.

)",
      .examples = R"(  tarry cube cmp --tolerance 5% before.cubex after.cubex
  tarry cube cmp -m time --per callpath --ignore-below 1% run1.cubex run2.cubex new.cubex
  tarry cube cmp --per callpath --only increase --format github old.cubex new.cubex
  tarry cube cmp --store team.db --where "tag = release" new.cubex
)",
      .see_also = "tarry cube test, tarry cube diff, docs/CUBE_OPERATIONS.md",
      .takes = Takes::kReports,
      .add_options = add_cmp_options,
      .check = check_cmp,
      .run = run_cmp,
  };
}

}  // namespace tarry
