// op_diff.cpp -- tarry cube diff: NEW minus OLD, the first report minus the others; on a terminal the largest changes.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "base/text/text_columns.hpp"
#include "changes.hpp"
#include "ops.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/tree/metric_tree.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"
#include "report_items.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kChangesOnTerminal = 10;

// Values of one metric per call path, before and after.
struct Sides {
  ReportItems before, now;

  double change(const std::string& name) const { return now.of(name) - before.of(name); }
};

// Adds the items of `more` to `sum`.
void add_items(ReportItems& sum, const ReportItems& more) {
  for (const std::string& name : more.names) {
    const auto [known, is_new] = sum.values.try_emplace(name, 0);
    if (is_new) sum.names.push_back(name);
    known->second += more.of(name);
  }
  sum.whole += more.whole;
}

Sides read_sides(const std::vector<OpenReport>& reports, const std::string& metric) {
  Sides sides;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const MetricId own = find_metric(reports[i]->structure(), metric);
    if (!own.is_valid()) continue;
    CubeValues values(*reports[i]);
    add_items(i == 0 ? sides.now : sides.before, items_of(values, own, "callpath", false));
  }
  return sides;
}

// Call paths that changed, the largest change first.
std::vector<std::string> changed_paths(const Sides& sides) {
  std::vector<std::string> names = sides.now.names;
  for (const std::string& name : sides.before.names)
    if (!sides.now.values.count(name)) names.push_back(name);
  std::erase_if(names, [&](const std::string& name) { return sides.change(name) == 0; });
  std::stable_sort(names.begin(), names.end(), [&](const std::string& left, const std::string& right) {
    return std::abs(sides.change(left)) > std::abs(sides.change(right));
  });
  return names;
}

std::string row_text(const ReportMetric& metric, double before, double now, const std::string& name) {
  std::string text;
  for (const double value : {before, now, now - before}) text += pad_left(number_for_people(metric.type, value), 12);
  return text + "  " + pad_right(relative_text(before, now), 22) + name;
}

std::string diff_heading(const CubeOptions& options, const std::vector<OpenReport>& reports) {
  std::string text = "NEW " + options.inputs[0] + " minus OLD", lines;
  std::vector<const ReportStructure*> structures;
  std::vector<std::string> names;
  for (std::size_t i = 1; i < reports.size(); ++i) {
    text += (i > 1 ? ", " : " ") + options.inputs[i];
    structures.push_back(&reports[i]->structure());
    names.push_back(options.inputs[i]);
  }
  structures.push_back(&reports[0]->structure());
  names.push_back(options.inputs[0]);
  add_line(lines, text);
  for (const std::string& line : structure_differences(structures, names)) add_line(lines, line);
  return lines;
}

Status print_changes(const CubeOptions& options, const std::vector<OpenReport>& reports, std::uint32_t most) {
  const ReportStructure& structure = reports[0]->structure();
  TARRY_TRY_ASSIGN(metric, choose_metric(structure, options.metrics));
  const ReportMetric& facts = structure.metrics[metric.value];
  const Sides sides = read_sides(reports, facts.unique_name);
  const std::vector<std::string> names = changed_paths(sides);
  std::string text = diff_heading(options, reports);
  add_line(text, facts.display_name + (facts.unit.empty() ? "" : " (" + facts.unit + ")") + ", exclusive");
  add_line(text, "         OLD         NEW      change" + std::string(24, ' ') + "call path");
  add_line(text, row_text(facts, sides.before.whole, sides.now.whole, "(all)"));
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + std::min<std::ptrdiff_t>(most, std::ssize(names)));
  const std::vector<std::string> shown = shown_names(first, "callpath", options.has_full_names);
  const std::size_t columns = text_columns(STDOUT_FILENO);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string before = row_text(facts, sides.before.of(first[i]), sides.now.of(first[i]), "");
    add_line(text, before + shorten_to(shown[i], columns, before.size()));
  }
  if (names.size() > most) add_line(text, "and " + format_count(names.size() - most, "smaller change"));
  add_line(text, "The difference is in " + default_output(options));
  return print(text);
}

}  // namespace

static Result<int> run_diff(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(reports, open_reports_by_function(options.inputs));
  CubeOptions by_name = options;
  by_name.is_by_name = !options.is_by_place;  // an edit that moves lines would part what is to be compared
  TARRY_TRY_ASSIGN(status, combine_opened(reports, by_name, Combination::kDifference));
  if (default_output(options) == "-") return status;
  const std::uint32_t wanted = options.changes.value_or(::isatty(STDOUT_FILENO) ? kChangesOnTerminal : 0);
  if (wanted > 0) TARRY_TRY(print_changes(options, reports, wanted));
  return status;
}

static void add_diff_options(CliOptions& line, CliOption inputs, CubeOptions& options) {
  inputs.description("NEW, then OLD: .cubex files or archives; - is stdin");
  line.option("-m,--metric", options.metrics, "the metric of the changes that are printed (default: time)");
  line.option("-n,--number", options.changes, "how many changes to print (default: 10 on a terminal, elsewhere none)");
  add_system_options(line, inputs, options);
  line.flag("--by-place", options.is_by_place, "regions match by their files and lines, too");
  add_names(line, options);
}

static constexpr char kOrderNotes[] =
    R"(The order is NEW OLD, as in a subtraction: a positive value has grown. On a terminal
the largest changes per call path are printed, too.

)";

Operation diff_operation() {
  return {
      .name = "diff",
      .purpose = "NEW minus OLD: the first report minus the others",
      .notes = kOrderNotes,
      .shared_notes = kUnionNotes,
      .examples = R"(  tarry cube diff after.cubex before.cubex -o change.cubex
  tarry cube diff after/ before/ -o - | tarry cube calltree -i -
  tarry cube diff -n 20 new_version.cubex old_version.cubex
)",
      .see_also = "tarry cube cmp, tarry cube merge",
      .takes = Takes::kReports,
      .gives = Gives::kReport,
      .add_options = add_diff_options,
      .run = run_diff,
  };
}

}  // namespace tarry
