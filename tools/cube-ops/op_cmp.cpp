// op_cmp.cpp -- tarry cube cmp: what moved, against one report or the spread of several.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/format.hpp"
#include "base/text.hpp"
#include "changes.hpp"
#include "ops.hpp"
#include "report_input.hpp"
#include "report_items.hpp"
#include "verdicts.hpp"

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

Result<int> run_cmp(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(reports, open_reports(options.inputs));
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
  TARRY_TRY(print_verdicts(verdicts, summary_of(verdicts, options), options.format,
                           structure_differences(structures, options.inputs)));
  std::vector<std::string> damage;
  for (const auto& report : values)
    for (const std::string& line : report->damage()) damage.push_back(line);
  return std::max(status_of(verdicts), conclude(damage, options.is_strict));
}

}  // namespace tarry
