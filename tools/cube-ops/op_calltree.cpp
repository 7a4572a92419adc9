// op_calltree.cpp -- tarry cube calltree: the call tree with the values of one metric.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "base/tool/cli.hpp"
#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"
#include "base/text/text.hpp"
#include "base/text/text_columns.hpp"
#include "folded_stacks.hpp"
#include "ops.hpp"
#include "report/algebra/algebra.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/algebra/merged_iterations.hpp"
#include "report/algebra/merged_sites.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/algebra/shown_regions.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"
#include "tree_rows.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBufferSize = 1 << 18;
constexpr std::size_t kDeepestIndent = 100;  // levels; deeper ones have a number instead
constexpr std::size_t kValueColumns = 23;    // of value, percentage and the blanks behind

std::string indent(std::size_t depth, std::size_t deepest) {
  if (depth <= deepest) return std::string(2 * depth, ' ');
  return std::string(2 * deepest, ' ') + "[" + std::to_string(depth) + "] ";
}

// The report as it is shown: as it is, or with merged iterations.
class ShownTree {
 public:
  static Result<std::unique_ptr<ShownTree>> make(const CubeSource& report, bool keeps_iterations) {
    auto tree = std::make_unique<ShownTree>(report);
    if (keeps_iterations) return tree;
    TARRY_TRY_ASSIGN(merged, merge_iterations(report.structure()));
    if (!merged) return tree;
    tree->is_of_iterations_ = std::move(merged->is_of_iterations);
    tree->sources_ = merged->mapped.maps[0].exclusive;
    tree->merged_.emplace(std::vector<const CubeSource*>{&report}, std::move(merged->mapped), Combination::kMerge);
    return tree;
  }
  explicit ShownTree(const CubeSource& report) : report_(report) {}

  const CubeSource& cube() const { return merged_ ? *merged_ : report_; }

  // "  (100 iterations: least 1.2, median 1.3, most 4)", calls included.
  std::string iterations_text(CallPathId path, MetricId metric) {
    if (is_of_iterations_.empty() || !is_of_iterations_[path.value]) return {};
    if (!single_) single_.emplace(report_);
    const ValueType type = report_.structure().metrics[metric.value].type;
    const std::string& name = cube().structure().metrics[metric.value].unique_name;
    const MetricTotals& totals = single_->totals(find_metric(report_.structure(), name));
    std::vector<double> values;
    for (const std::uint32_t source : sources_.of(path.value)) values.push_back(totals.inclusive[source]);
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    return "  (" + format_count(values.size(), "iteration") + ": min " + number_for_people(type, values.front()) +
           ", median " + number_for_people(type, median) + ", max " + number_for_people(type, values.back()) + ")";
  }

 private:
  const CubeSource& report_;
  std::optional<CombinedCube> merged_;
  std::optional<CubeValues> single_;
  std::vector<bool> is_of_iterations_;
  PathLists sources_;
};

struct Listing {
  const CubeOptions& options;
  ShownTree& tree;
  MetricId metric;
  double whole;  // 0: values have no share of it
  std::vector<TreeRow> rows;

  const ReportStructure& structure() const { return tree.cube().structure(); }
  const ReportMetric& facts() const { return structure().metrics[metric.value]; }
  const ReportRegion& region_of(const TreeRow& row) const {
    return structure().regions[structure().call_paths[row.path.value].region];
  }
};

std::string heading(const Listing& listing) {
  const ReportMetric& metric = listing.facts();
  std::string text;
  add_line(text, metric.display_name + (metric.unit.empty() ? "" : " (" + metric.unit + ")") +
                     (listing.options.is_inclusive ? ", inclusive" : ", exclusive") + ", over " +
                     format_count(listing.structure().locations.size(), "thread") +
                     (listing.options.is_bottom_up ? ", by function and its callers" : ""));
  add_line(text, "        value       %  call path");
  return text;
}

// "  (ring.c:12)", or nothing.
std::string site_text(const ReportCallPath& path) {
  if (path.module.empty()) return {};
  return "  (" + path.module.substr(path.module.rfind('/') + 1) + ":" + std::to_string(path.line) + ")";
}

Status print_text(const Listing& listing) {
  const std::size_t columns = text_columns(STDOUT_FILENO);
  const std::size_t deepest = std::min(kDeepestIndent, (columns - kValueColumns) / 4);  // half for the names
  std::vector<CallPathId> shown;
  for (const TreeRow& row : listing.rows) shown.push_back(listing.options.is_bottom_up ? row.callee : row.path);
  const ShownRegions names(listing.structure(), shown, listing.options.has_full_names);
  std::string text = heading(listing);
  for (const TreeRow& row : listing.rows) {
    char percent[32] = "-";
    if (listing.whole != 0) std::snprintf(percent, sizeof percent, "%.2f", 100 * row.value / listing.whole);
    const std::string values = pad_left(number_for_people(listing.facts().type, row.value), 13) + pad_left(percent, 8);
    const std::string name =
        names.name_of(listing.structure().call_paths[row.path.value].region) +
        site_text(listing.structure().call_paths[row.path.value]) +
        (listing.options.is_bottom_up ? "" : listing.tree.iterations_text(row.path, listing.metric));
    const std::string before = values + "  " + indent(row.depth, deepest);
    const std::size_t left = columns - std::min(columns, before.size());
    add_line(text, before + shorten_middle(name, std::max<std::size_t>(left, 5)));
    if (text.size() < kBufferSize) continue;
    TARRY_TRY(print(text));
    text.clear();
  }
  return print(text);
}

// From the outermost caller down to the function at the root of a bottom-up tree; whole names.
std::string path_of(const Listing& listing, const TreeRow& row) {
  const ReportStructure& structure = listing.structure();
  if (!listing.options.is_bottom_up) return call_path_text(structure, row.path);
  std::vector<CallPathId> chain{row.callee};
  while (chain.back() != row.path) chain.push_back(structure.call_paths[chain.back().value].parent);
  std::string text;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    if (!text.empty()) text.push_back('/');
    append_path_name(text, structure.regions[structure.call_paths[link->value].region].name);
  }
  return text;
}

Status print_csv(const Listing& listing) {
  CsvWriter out("depth,callpath,region,file,line,metric,value,fraction");
  for (const TreeRow& row : listing.rows) {
    const ReportRegion& region = listing.region_of(row);
    out.add(row.depth).add(path_of(listing, row)).add(region.name).add(region.module);
    if (region.begin_line > 0) out.add(region.begin_line);
    else out.skip();
    out.add(listing.facts().unique_name);
    if (is_neutral_number(listing.facts().type, row.value)) out.skip();
    else out.add(row.value);
    if (listing.whole != 0) out.add(row.value / listing.whole);
    else out.skip();
    out.end_row();
  }
  return print(out.take());
}

Status print_folded(const CubeOptions& options, const CubeSource& report, MetricId metric, const MetricTotals& totals) {
  const ReportMetric& facts = report.structure().metrics[metric.value];
  const double least = options.threshold * std::abs(totals.whole);
  const FoldedWishes wishes{least, options.depth.value_or(kMostFrames), options.has_full_names};
  const FoldedStacks stacks = folded_stacks(report, metric, totals, wishes);
  TARRY_TRY(print(stacks.text));
  log_info("weights are " + std::string(weight_unit(facts)) + " of " + facts.display_name);
  if (stacks.left_out > 0) log_warning(format_count(stacks.left_out, "stack") + " with negative values left out");
  return {};
}

// How --sort orders siblings.
Result<std::function<bool(CallPathId, CallPathId)>> order_of(const CubeOptions& options, CubeValues& values) {
  std::function<bool(CallPathId, CallPathId)> order;
  const ReportStructure& structure = values.source().structure();
  if (options.sort == "name") {
    order = [&structure](CallPathId left, CallPathId right) {
      const auto name_of = [&](CallPathId path) -> const std::string& {
        return structure.regions[structure.call_paths[path.value].region].name;
      };
      return name_of(left) < name_of(right);
    };
  } else if (!options.sort.empty() && !options.is_bottom_up) {
    TARRY_TRY_ASSIGN(metric, choose_metric(structure, options.sort));
    order = [&values, metric](CallPathId left, CallPathId right) {
      const MetricTotals& totals = values.totals(metric);
      return totals.inclusive[left.value] > totals.inclusive[right.value];
    };
  }
  return order;
}

}  // namespace

static Result<int> run_calltree(const CubeOptions& options) {
  const bool is_by_function = options.is_csv || options.is_folded || options.is_bottom_up;
  TARRY_TRY_ASSIGN(file, open_report(options.inputs[0]));
  TARRY_TRY_ASSIGN(report,
                   without_call_sites(std::move(file), is_by_function ? CallSites::kAll : CallSites::kUnknownLines));
  TARRY_TRY_ASSIGN(tree, ShownTree::make(*report, options.keeps_iterations));
  const CubeSource& cube = tree->cube();
  TARRY_TRY_ASSIGN(metric, choose_metric(cube.structure(), options.metrics));
  const ReportMetric& facts = cube.structure().metrics[metric.value];
  CubeValues all(cube);
  const MetricTotals& totals = all.totals(metric);
  const bool adds_up = is_additive(facts.type) && facts.kind != MetricKind::kPostDerived;
  if ((options.is_folded || options.is_bottom_up) && !adds_up)
    return Error{"metric '" + facts.unique_name + "'", "is no sum over call paths", "name another metric with -m"};
  if (options.is_folded) {
    TARRY_TRY(print_folded(options, cube, metric, totals));
    return conclude(all.damage(), options.is_strict);
  }
  Listing listing{options, *tree, metric, adds_up ? totals.whole : 0, {}};
  TARRY_TRY_ASSIGN(order, order_of(options, all));
  const TreeWishes wishes{options.is_inclusive, options.threshold * std::abs(listing.whole),
                          options.depth.value_or(TreeWishes().depth), std::move(order)};
  listing.rows = options.is_bottom_up ? bottom_up_rows(cube, totals, wishes) : top_down_rows(cube, totals, wishes);
  TARRY_TRY(options.is_csv ? print_csv(listing) : print_text(listing));
  return conclude(all.damage(), options.is_strict);
}

// "5" and "5%" are the same.
static std::string read_percent(const std::string& word, double& fraction) {
  auto parsed = parse_fraction(word.ends_with('%') ? word : word + "%");
  if (!parsed.ok()) return parsed.error().text();
  if (*parsed < 0 || *parsed > 1) return "'" + word + "' is not between 0 and 100";
  fraction = *parsed;
  return {};
}

static void add_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-m,--metric", options.metrics, "the metric (default: time)");
  const CliOption inclusive = line.flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  const auto percent = [&options](const std::string& word) { return read_percent(word, options.threshold); };
  line.option("-t,--threshold,--min-percent", percent,
              "hide what is below this percentage of the total: 5 and 5% are the same")
      .value_name("PERCENT");
  line.option("--depth", options.depth, "levels to show; what is below counts in the last one")
      .value_name("N")
      .between(1u, 1000000u);
  CliOption sort = line.option("--sort", options.sort,
                               "siblings by a metric (calls included, largest first) or by name "
                               "(default: the order of the report)");
  sort.value_name("METRIC|name");
  CliOption bottom_up = line.flag("--bottom-up", options.is_bottom_up, "functions, and below them who calls them");
  bottom_up.not_with(inclusive);
  CliOption csv = line.flag("--csv", options.is_csv, "as CSV, with whole names");
  CliOption folded = line.flag("--folded", options.is_folded, "as collapsed stacks, for flame graphs");
  folded.not_with(csv).not_with(bottom_up).not_with(inclusive).not_with(sort);
  line.flag("--iterations", options.keeps_iterations, "show each iteration of a loop");
  add_names(line, options);
}

static Status check_calltree(const CubeOptions& options) {
  const std::string listed = options.metrics.empty() ? "time" : options.metrics;
  if (!options.is_bottom_up || options.sort.empty() || options.sort == "name" || options.sort == listed) return {};
  return Error{"usage", "--bottom-up is sorted by its own metric", "name it with -m"};
}

Operation calltree_operation() {
  return {
      .name = "calltree",
      .purpose = "the call tree with one metric",
      .notes = R"(Functions have short names: argument lists and template arguments are shown where
functions would have the same name without. Iterations of a loop ("step=7") are one
line with the minimum, median and maximum of one iteration.

Lines are as wide as COLUMNS or the terminal says, and long names are shortened in the
middle. In a pipe or file without COLUMNS they are whole.

--folded writes a line "main;solve;MPI_Send 1234" for each call path. Weights are
exclusive values; those of times are nanoseconds.

)",
      .examples = R"(  tarry cube calltree run/summary.cubex
  tarry cube calltree -m time -i -t 1% run/analysis.cubex
  tarry cube calltree -m mpi_latesender --bottom-up --min-percent 1 run/analysis.cubex
  tarry cube calltree -i --depth 3 --sort time run/summary.cubex
  tarry cube calltree --csv -i run/summary.cubex > tree.csv
  tarry cube calltree --folded run | flamegraph.pl --countname=ns > flames.svg
)",
      .see_also = "tarry cube info, tarry report",
      .add_options = add_options,
      .check = check_calltree,
      .run = run_calltree,
  };
}

}  // namespace tarry
