// iteration_series.cpp -- a metric of a report by iteration and process: a time series.
#include "report/tables/iteration_series.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "base/tool/closest.hpp"
#include "base/text/glob.hpp"
#include "defs/iteration_name.hpp"
#include "report/metrics/metrics.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kNoRow = 0xffffffffu;
constexpr std::string_view kClusterMark = "=cluster ", kClusterOpening = "iterations ";

// The sums of iterations of these are not those of the run.
bool is_kept_additive(Metric metric) {
  while (info_of(metric).parent != Metric::kNone) metric = info_of(metric).parent;
  return metric != Metric::kImbalance && metric != Metric::kPerformanceImpact &&
         metric != Metric::kCriticalPathImbalance;
}

Metric find_in_catalogue(std::string_view name) {
  for (const Metric metric : catalogue())
    if (name == info_of(metric).unique_name) return metric;
  return Metric::kNone;
}

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// What a call path is of a loop.
struct Part {
  enum class Kind : std::uint8_t { kNone, kNumbered, kFurther, kCluster };
  Kind kind = Kind::kNone;
  std::int64_t number = 0;
};

// Of "iterations 1000-1008,1010,... (99 in all)": the first number.
std::int64_t first_listed(std::string_view description) {
  if (!description.starts_with(kClusterOpening)) return 0;
  std::int64_t number = 0;
  description.remove_prefix(kClusterOpening.size());
  std::from_chars(description.data(), description.data() + description.size(), number);
  return number;
}

// Score-P gives the instances of a dynamic region a parameter.
std::optional<std::int64_t> instance_of(const ReportCallPath& path) {
  for (const auto& [key, value] : path.numeric_parameters)
    if (key == "instance") return integer_in(value);
  return std::nullopt;
}

bool has_dynamic_role(const ReportRegion& region) {
  return region.role == name_of(RegionRole::kDynamic) || region.role == name_of(RegionRole::kDynamicPhase) ||
         region.role == name_of(RegionRole::kDynamicLoop);
}

// Reads the iterations of a loop from call paths of their own.
class FromCallPaths {
 public:
  FromCallPaths(const Report& report, const std::string& loop) : report_(report), loop_(loop) {}

  // Without rows if there are none.
  IterationTable read() {
    find_rows();
    IterationTable table;
    table.region = loop_;
    table.is_marked_loop = true;
    if (rows_.empty()) return table;
    for (const ReportProcess& process : report_.structure.processes) table.ranks.push_back(process.rank);
    table.rows = labelled_rows();
    for (std::size_t m = 0; m < report_.structure.metrics.size(); ++m)
      if (const ReportMetric& metric = report_.structure.metrics[m]; is_summed(metric))
        table.metrics.push_back({metric.unique_name, metric.unit, 1, sums_of(MetricId(m))});
    return table;
  }

 private:
  static bool is_summed(const ReportMetric& metric) {
    return metric.tuple_size == 0 && is_additive(metric.type) &&
           (metric.kind == MetricKind::kExclusive || metric.kind == MetricKind::kInclusive);
  }

  Part part_of(const ReportCallPath& path) const {
    const ReportRegion& region = report_.structure.regions[path.region];
    if (region.name == loop_)
      if (const auto number = instance_of(path)) return {Part::Kind::kNumbered, *number};
    if (!has_dynamic_role(region)) return {};
    if (region.name.starts_with(loop_ + std::string(kClusterMark)))
      return {Part::Kind::kCluster, first_listed(region.description)};
    const auto name = split_iteration_name(region.name);
    if (!name || name->loop != loop_) return {};
    return name->number ? Part{Part::Kind::kNumbered, *name->number} : Part{Part::Kind::kFurther, 0};
  }

  // Parents come before their children; an iteration inside an iteration is a part of it.
  void find_rows() {
    const ReportStructure& structure = report_.structure;
    row_of_.assign(structure.call_paths.size(), kNoRow);
    for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
      const CallPathId parent = structure.call_paths[path].parent;
      if (parent.is_valid() && parent.value < path) row_of_[path] = row_of_[parent.value];
      if (row_of_[path] != kNoRow) continue;
      const Part part = part_of(structure.call_paths[path]);
      if (part.kind == Part::Kind::kNone) continue;
      const std::uint32_t region =
          part.kind == Part::Kind::kCluster ? structure.call_paths[path].region : std::uint32_t{0};
      const auto [row, is_new] = rows_.try_emplace({part.kind, part.number, region}, rows_.size());
      row_of_[path] = static_cast<std::uint32_t>(row->second);
      iterations_.push_back(path);
    }
    // In order of their numbers.
    std::vector<std::uint32_t> place(rows_.size());
    std::uint32_t next = 0;
    for (auto& [key, row] : rows_) {
      place[row] = next;
      row = next++;
    }
    for (std::uint32_t& row : row_of_)
      if (row != kNoRow) row = place[row];
  }

  std::vector<IterationRange> labelled_rows() const {
    const std::vector<std::uint64_t> visits = most_visits();
    std::vector<IterationRange> ranges;
    std::int64_t last_number = -1;
    for (const auto& [key, row] : rows_) {
      const auto& [kind, number, region] = key;
      const std::uint64_t count = std::max<std::uint64_t>(1, visits[row]);
      const auto further = static_cast<std::int64_t>(std::min<std::uint64_t>(count, 1u << 30));
      if (kind == Part::Kind::kNumbered) ranges.push_back({number, number, 1});
      else if (kind == Part::Kind::kFurther) ranges.push_back({last_number + 1, last_number + further, count});
      else ranges.push_back({number, number + further - 1, count});
      last_number = std::max(last_number, ranges.back().last);
    }
    return ranges;
  }

  // Of each row, by the process that has most.
  std::vector<std::uint64_t> most_visits() const {
    std::vector<std::uint64_t> most(rows_.size(), 0);
    const MetricId visits = report_.find_metric("visits");
    std::vector<double> row;
    for (const std::uint32_t path : iterations_)
      if (visits.is_valid() && report_.exclusive_row(visits, CallPathId(path), row))
        for (const double value : row)
          most[row_of_[path]] = std::max(most[row_of_[path]], static_cast<std::uint64_t>(std::clamp(value, 0.0, 1e18)));
    return most;
  }

  std::vector<double> sums_of(MetricId metric) const {
    const ReportStructure& structure = report_.structure;
    const std::size_t width = structure.processes.size();
    std::vector<double> sums(rows_.size() * width, 0), row;
    for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
      if (row_of_[path] == kNoRow || !report_.exclusive_row(metric, CallPathId(path), row)) continue;
      for (std::size_t l = 0; l < structure.locations.size(); ++l)
        if (const std::uint32_t process = structure.locations[l].process; process < width)
          sums[row_of_[path] * width + process] += row[l];
    }
    return sums;
  }

  const Report& report_;
  const std::string& loop_;
  std::vector<std::uint32_t> row_of_;      // [call path]: of the iteration it lies in
  std::vector<std::uint32_t> iterations_;  // call paths that are iterations
  std::map<std::tuple<Part::Kind, std::int64_t, std::uint32_t>, std::size_t> rows_;
};

Error unknown_loop(const std::string& region, const IterationTable& kept) {
  const std::string way_out = "'tarry replay --iterations " + region + " ARCHIVE' looks at each visit of a region";
  if (!kept.rows.empty())
    return Error{"'" + region + "'",
                 "has no values by iteration in this report, which has those of '" + kept.region + "'", way_out};
  return Error{"'" + region + "'", "has no values by iteration in this report", way_out};
}

// The metrics that are asked for, in the order of asking.
Result<std::vector<IterationMetric>> select(const IterationTable& table, const std::string& wanted) {
  std::vector<IterationMetric> selected;
  for (const IterationMetric& metric : table.metrics)
    if (is_named(metric.name, wanted)) selected.push_back(metric);
  if (!selected.empty()) return selected;
  const Metric known = find_in_catalogue(wanted);
  if (known != Metric::kNone && !is_kept_additive(known))
    return Error{"'" + wanted + "'", "has no values by iteration, as they do not add up",
                 "'comp' by iteration shows imbalance"};
  if (known != Metric::kNone) {
    selected.push_back(
        {wanted, info_of(known).unit, 1, std::vector<double>(table.rows.size() * table.ranks.size(), 0)});
    return selected;
  }
  std::vector<std::string> names;
  for (const IterationMetric& metric : table.metrics) names.push_back(metric.name);
  return Error{"'" + wanted + "'", "is no metric by iteration",
               names.empty() ? "" : "did you mean " + closest_name(wanted, names) + "?"};
}

}  // namespace

std::vector<double> IterationSeries::mean_row(std::size_t iteration) const {
  const std::span<const double> sums = row(iteration);
  std::vector<double> means(sums.begin(), sums.end());
  for (double& value : means) value /= static_cast<double>(iterations[iteration].count);
  return means;
}

Result<IterationTable> read_iterations(const Report& report, const std::string& region,
                                       std::span<const std::string> metrics) {
  TARRY_TRY_ASSIGN(kept, read_iteration_table(report.files));
  IterationTable table = !kept.rows.empty() && kept.region == region ? kept : FromCallPaths(report, region).read();
  if (table.rows.empty()) return unknown_loop(region, kept);
  std::vector<IterationMetric> selected;
  for (const std::string& wanted : metrics) {
    TARRY_TRY_ASSIGN(found, select(table, wanted));
    for (IterationMetric& metric : found)
      if (std::ranges::find(selected, metric.name, &IterationMetric::name) == selected.end())
        selected.push_back(std::move(metric));
  }
  table.metrics = std::move(selected);
  return table;
}

IterationSeries series_of(const IterationTable& table, const IterationMetric& metric) {
  IterationSeries series{table.region, metric.name, metric.unit, table.rows, table.ranks, metric.values};
  for (double& value : series.values) value *= metric.factor;
  return series;
}

Result<IterationSeries> read_iterations(const Report& report, const std::string& region, const std::string& metric) {
  const std::string wanted[] = {metric};
  TARRY_TRY_ASSIGN(table, read_iterations(report, region, wanted));
  return series_of(table, table.metrics.front());
}

std::string iteration_label(const IterationRange& range) {
  std::string first = std::to_string(range.first);
  if (range.first == range.last && range.count == 1) return first;
  if (follow_one_another(range)) return first + "-" + std::to_string(range.last);
  return first + ".." + std::to_string(range.last) + " (" + std::to_string(range.count) + ")";
}

}  // namespace tarry
