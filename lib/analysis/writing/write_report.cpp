// write_report.cpp -- the results of all processes become a report.
#include "analysis/writing/write_report.hpp"

#include <algorithm>
#include <memory>

#include "base/processes/worker_pool.hpp"
#include "defs/properties.hpp"
#include "defs/run_parameters.hpp"
#include "replay/trees/call_tree.hpp"
#include "report/metrics/counter_metric.hpp"
#include "report/tree/structure_of.hpp"
#include "analysis/writing/write_causes.hpp"
#include "analysis/writing/write_instances.hpp"

namespace tarry {

// Renumbers a tree so that it is in preorder; children keep their order.
std::vector<PathIndex> report_order(const CallTree& tree) {
  std::vector<PathIndex> order;
  std::vector<PathIndex> stack;
  std::vector<PathIndex> children;
  for (PathIndex path = static_cast<PathIndex>(tree.size()); path-- > 0;)
    if (tree[path].parent == kNoPath) stack.push_back(path);
  while (!stack.empty()) {
    const PathIndex path = stack.back();
    stack.pop_back();
    order.push_back(path);
    children.clear();
    for (PathIndex c = tree[path].first_child; c != kNoPath; c = tree[c].next_sibling) children.push_back(c);
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return order;
}

namespace {

class ReportMaker {
 public:
  ReportMaker(const Definitions& definitions, const RegionTable& regions, AnalysisResult result, unsigned workers)
      : definitions_(definitions),
        regions_(regions),
        result_(std::move(result)),
        unified_(result_.tree),
        locations_(report_numbers(definitions)),
        workers_(workers) {}

  Report make(const std::string& faults) {
    order_ = report_order(unified_);
    position_.resize(order_.size());
    for (PathIndex i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
    drop_zeros();
    add_attributes(faults);
    add_metrics();
    add_counters();
    add_regions();
    add_call_paths();
    add_system(definitions_, report_.structure);
    move_rows();
    add_counter_values();
    add_instance_files(definitions_, position_, result_, report_);
    add_matrix(result_.messages, report_.files);
    add_file_table(result_.files, report_.files);
    add_wait_causes(result_, position_, definitions_, report_);
    add_iteration_values();
    return std::move(report_);
  }

 private:
  void add_attributes(const std::string& faults) {
    report_.structure.attributes.push_back({"Creator", "tarry-replay " TARRY_VERSION});
    if (!faults.empty()) report_.structure.attributes.push_back({"Tarry::Incomplete", faults});
    if (const std::string parameters = first_property(definitions_, kParametersProperty); !parameters.empty())
      report_.structure.attributes.push_back({kParametersAttribute, parameters});
  }

  // Rows without any value do not become rows of the report.
  void drop_zeros() {
    run_parallel(workers_, kMetricCount, [&](std::size_t m) {
      const auto metric = static_cast<Metric>(m);
      bool is_used = false;
      for (PathIndex path = 0; values().has(metric) && path < unified_.size(); ++path) {
        const double* row = values().find(metric, path);
        if (!row) continue;
        const bool has_values = std::any_of(row, row + values().columns(), [](double value) { return value != 0; });
        is_used |= has_values;
        if (!has_values) values().take(metric, path);
      }
      if (!is_used) values().drop(metric);
    });
  }

  // Metrics that have values, and their parents.
  void add_metrics() {
    std::vector<bool> is_used(kMetricCount, false);
    for (std::size_t m = 0; m < kMetricCount; ++m) is_used[m] = values().has(static_cast<Metric>(m));
    for (std::size_t m = 0; m < kMetricCount; ++m)
      for (Metric above = info_of(static_cast<Metric>(m)).parent; is_used[m] && above != Metric::kNone;
           above = info_of(above).parent)
        is_used[static_cast<std::size_t>(above)] = true;
    metric_ids_.resize(kMetricCount);
    for (const Metric metric : catalogue())
      if (const auto m = static_cast<std::size_t>(metric); is_used[m]) metric_ids_[m] = add_metric(info_of(metric));
    for (std::size_t m = 0; m < kMetricCount; ++m) {
      const bool is_time = std::string_view(info_of(static_cast<Metric>(m)).unit) == "sec";
      units_.push_back(is_time ? 1 / definitions_.clock.ticks_per_second : 1);
    }
  }

  MetricId add_metric(const MetricInfo& info) {
    ReportMetric metric;
    metric.unique_name = info.unique_name;
    metric.display_name = info.display_name;
    metric.unit = info.unit;
    metric.description = info.description;
    metric.kind = MetricKind::kExclusive;
    metric.type = metric.unit == "sec" ? ValueType::kDouble : ValueType::kUint64;
    if (info.parent != Metric::kNone) metric.parent = metric_ids_[static_cast<std::size_t>(info.parent)];
    return report_.add_metric(std::move(metric));
  }

  // Those that have values. One that is called as a metric of ours gets another name.
  void add_counters() {
    counter_ids_.resize(definitions_.counters.size());
    std::vector<bool> is_used(definitions_.counters.size(), false);
    for (const auto& thread : result_.results.counters)
      for (const CounterValue& value : thread) is_used[value.counter.value] = true;
    for (std::size_t c = 0; c < counter_ids_.size(); ++c) {
      if (!is_used[c]) continue;
      ReportMetric metric = counter_metric(definitions_, definitions_.counters[c]);
      while (report_.find_metric(metric.unique_name).is_valid()) metric.unique_name += "_counter";
      counter_ids_[c] = report_.add_metric(std::move(metric));
    }
  }

  void add_counter_values() {
    for (std::size_t column = 0; column < result_.results.counters.size(); ++column)
      for (const CounterValue& value : result_.results.counters[column])
        add_counter_value(
            definitions_.counters[value.counter.value], value.value,
            report_.row(counter_ids_[value.counter], CallPathId(position_[value.path]))[location(column)]);
  }

  void add_regions() {
    std::vector<bool> is_used(regions_.size(), false);
    for (PathIndex path = 0; path < unified_.size(); ++path) is_used[base_of(unified_[path].region).value] = true;
    region_ids_.resize(regions_.size(), 0);
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      if (!is_used[r]) continue;
      region_ids_[r] = static_cast<std::uint32_t>(report_.structure.regions.size());
      const Region& region = regions_.region(RegionId(r));
      ReportRegion& out = report_.structure.regions.emplace_back();
      out.name = regions_.name(RegionId(r));
      out.mangled_name =
          region.mangled_name.is_valid() ? std::string(definitions_.text(region.mangled_name)) : out.name;
      out.module = regions_.file(RegionId(r));
      out.paradigm = name_of(region.paradigm);
      out.role = name_of(region.role);
      out.begin_line = region.begin_line ? static_cast<std::int64_t>(region.begin_line) : -1;
      out.end_line = region.end_line ? static_cast<std::int64_t>(region.end_line) : -1;
    }
  }

  RegionId base_of(RegionId region) const {
    const RegionId base = regions_.region(region).base;
    return base.is_valid() ? base : region;
  }

  void add_call_paths() {
    for (const PathIndex path : order_) {
      ReportCallPath& out = report_.structure.call_paths.emplace_back();
      const RegionId region = unified_[path].region;
      out.region = region_ids_[base_of(region).value];
      if (base_of(region) != region) set_call_site(definitions_, regions_.region(region), out);
      if (unified_[path].parent != kNoPath) out.parent = CallPathId(position_[unified_[path].parent]);
    }
  }

  // Of each process: the sums over its threads.
  void add_iteration_values() {
    IterationTable& table = result_.iterations;
    if (table.rows.empty()) return;
    for (const ReportProcess& process : report_.structure.processes) table.ranks.push_back(process.rank);
    for (const Metric metric : catalogue())
      if (result_.results.iterations.has(metric)) table.metrics.push_back(iteration_values(metric, table));
    std::erase_if(table.metrics, [](const IterationMetric& metric) {
      return std::ranges::all_of(metric.values, [](double value) { return value == 0; });
    });
    drop_empty_rows(table);
    add_iteration_table(table, report_.files);
  }

  IterationMetric iteration_values(Metric metric, const IterationTable& table) {
    const std::size_t processes = table.ranks.size();
    IterationMetric sums{info_of(metric).unique_name, info_of(metric).unit, units_[static_cast<std::size_t>(metric)],
                         std::vector<double>(table.rows.size() * processes, 0)};
    for (PathIndex slot = 0; slot < table.rows.size(); ++slot)
      if (const double* row = result_.results.iterations.find(metric, slot))
        for (std::size_t column = 0; column < values().columns(); ++column)
          sums.values[slot * processes + report_.structure.locations[location(column)].process] += row[column];
    return sums;
  }

  // In units of the report, and in the order of locations.
  void move_rows() {
    is_in_order_ = values().columns() == report_.structure.locations.size();
    for (std::uint32_t column = 0; column < values().columns(); ++column) is_in_order_ &= location(column) == column;
    run_parallel(workers_, kMetricCount, [&](std::size_t m) {
      for (PathIndex path = 0; path < unified_.size(); ++path)
        if (auto row = values().take(static_cast<Metric>(m), path)) move_row(m, path, std::move(row));
    });
  }

  void move_row(std::size_t metric, PathIndex path, std::unique_ptr<double[]> row) {
    for (std::size_t column = 0; column < values().columns(); ++column) row[column] *= units_[metric];
    if (is_in_order_) return report_.put_row(metric_ids_[metric], CallPathId(position_[path]), std::move(row));
    const std::span<double> into = report_.row(metric_ids_[metric], CallPathId(position_[path]));
    for (std::size_t column = 0; column < values().columns(); ++column) into[location(column)] = row[column];
  }

  ValueRows& values() { return result_.results.values; }
  std::uint32_t location(std::size_t column) const {
    return locations_[result_.results.threads[column].location.value];
  }

  const Definitions& definitions_;
  const RegionTable& regions_;
  AnalysisResult result_;
  const CallTree& unified_;
  const std::vector<std::uint32_t> locations_;  // of the definitions: their place in the report
  const unsigned workers_;
  bool is_in_order_ = false;  // columns of the results are those of the report
  Report report_;
  std::vector<PathIndex> order_;     // unified paths in preorder
  std::vector<PathIndex> position_;  // place of a unified path in the report
  std::vector<MetricId> metric_ids_;
  std::vector<double> units_;  // of each metric: seconds of a tick, or 1
  Indexed<CounterId, std::vector<MetricId>> counter_ids_;
  std::vector<std::uint32_t> region_ids_;
};

}  // namespace

Report make_report(const Definitions& definitions, const RegionTable& regions, AnalysisResult result,
                   const std::string& faults, unsigned workers) {
  return ReportMaker(definitions, regions, std::move(result), workers).make(faults);
}

}  // namespace tarry
