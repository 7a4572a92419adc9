// op_topn.cpp -- tarry cube topn: the regions or call paths with the largest values.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "base/text/text_columns.hpp"
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"
#include "report_items.hpp"

namespace tarry {

static Result<int> run_topn(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report_by_function(options.inputs[0]));
  TARRY_TRY_ASSIGN(metric, choose_metric(report->structure(), options.metrics));
  CubeValues values(*report);
  const ReportMetric& facts = report->structure().metrics[metric.value];
  ReportItems items = items_of(values, metric, options.by, options.is_inclusive);
  const auto size_of = [&](const std::string& name) {
    return is_neutral_number(facts.type, items.of(name)) ? -1 : std::abs(items.of(name));
  };
  std::stable_sort(items.names.begin(), items.names.end(),
                   [&](const std::string& left, const std::string& right) { return size_of(left) > size_of(right); });
  const bool has_share = is_additive(facts.type) && facts.kind != MetricKind::kPostDerived && items.whole != 0;
  items.names.resize(std::min<std::size_t>(options.count, items.names.size()));
  const std::vector<std::string> shown = shown_names(items.names, options.by, options.has_full_names);
  std::string text;
  add_line(text, facts.display_name + (facts.unit.empty() ? "" : " (" + facts.unit + ")") +
                     (options.is_inclusive ? ", inclusive" : ", exclusive"));
  add_line(text, "        value       %     sum  " + options.by);
  const std::size_t columns = text_columns(STDOUT_FILENO);
  double sum = 0;
  for (std::size_t i = 0; i < items.names.size(); ++i) {
    const double value = items.of(items.names[i]);
    sum += value;
    char shares[40];
    std::snprintf(shares, sizeof shares, "%8.2f%8.2f", 100 * value / items.whole, 100 * sum / items.whole);
    std::string share_text = has_share ? shares : "       -       -";
    if (options.is_inclusive) share_text = share_text.substr(0, 8) + "       -";  // inclusive values overlap
    const std::string before = pad_left(number_for_people(facts.type, value), 13) + share_text + "  ";
    add_line(text, before + shorten_to(shown[i], columns, before.size()));
  }
  TARRY_TRY(print(text));
  return conclude(values.damage(), options.is_strict);
}

static void add_topn_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-m,--metric", options.metrics, "the metric (default: time)");
  line.option("-n,--number", options.count, "how many (default: 10)");
  line.flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  add_items(line, options);
  add_names(line, options);
}

Operation topn_operation() {
  return {
      .name = "topn",
      .purpose = "the regions or call paths with the largest values",
      .examples = R"(  tarry cube topn run/summary.cubex
  tarry cube topn -n 5 -m mpi_latesender --by callpath run/analysis.cubex
  tarry cube diff after.cubex before.cubex -o - | tarry cube topn -
)",
      .see_also = "tarry cube stat, tarry cube regioninfo",
      .add_options = add_topn_options,
      .run = run_topn,
  };
}

}  // namespace tarry
