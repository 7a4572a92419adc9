// algebra.cpp -- reports computed from reports, row by row.
#include "report/algebra/algebra.hpp"

#include <algorithm>
#include <cmath>

#include "report/tree/call_path_tree.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

ValueType signed_type(ValueType type) {
  switch (type) {
    case ValueType::kUint64: return ValueType::kInt64;
    case ValueType::kUint32: return ValueType::kInt32;
    case ValueType::kUint16: return ValueType::kInt16;
    case ValueType::kUint8: return ValueType::kInt8;
    default: return type;
  }
}

// What the combination makes of a stored metric.
void adapt_metric(ReportMetric& metric, Combination combination) {
  if (is_derived(metric.kind)) return;
  if (combination == Combination::kDifference) metric.type = signed_type(metric.type);
  if (combination == Combination::kExactMean && is_integer(metric.type)) metric.type = ValueType::kDouble;
  if (combination == Combination::kMinimum || combination == Combination::kMaximum)
    metric.kind = MetricKind::kExclusive;
}

bool is_identity(const std::vector<std::uint32_t>& places, std::size_t size) {
  if (places.size() != size) return false;
  for (std::uint32_t i = 0; i < places.size(); ++i)
    if (places[i] != i) return false;
  return true;
}

// The difference of limits has a meaning only where both are there.
void subtract_limits(ValueType type, std::span<const double> from, std::span<double> into) {
  std::vector<double> neutral(1);
  fill_neutral({type}, neutral);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const bool has_both = !is_neutral_number(type, into[i]) && !is_neutral_number(type, from[i]);
    into[i] = has_both ? into[i] - from[i] : neutral[0];
  }
}

void subtract_rows(ValueFormat format, std::span<double> into, std::span<const double> from) {
  const std::size_t width = format.components();
  if (width == 1) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] -= from[i];
    return;
  }
  for (std::size_t at = 0; at < into.size(); at += width)
    subtract_values(format, into.subspan(at, width), from.subspan(at, width));
}

}  // namespace

// Sums are rounded: in order of size they are the same in whatever order reports of one run list the call paths.
static void sort_columns(std::vector<std::vector<double>>& rows) {
  std::vector<double> column(rows.size());
  for (std::size_t at = 0; rows.size() > 2 && at < rows[0].size(); ++at) {
    for (std::size_t i = 0; i < rows.size(); ++i) column[i] = rows[i][at];
    std::ranges::sort(column);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][at] = column[i];
  }
}

CombinedCube::CombinedCube(std::vector<const CubeSource*> inputs, MappedReports mapped, Combination combination)
    : structure_(std::move(mapped.structure)), combination_(combination) {
  call_tree_ = std::make_unique<CallPathTree>(structure_.call_paths);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs_.push_back({std::move(mapped.maps[i]), FlavourReader(*inputs[i]), false, {}});
    Input& input = inputs_.back();
    input.has_same_columns = is_identity(input.map.locations, structure_.locations.size());
    input.has_location.resize(structure_.locations.size());
    for (const std::uint32_t place : input.map.locations)
      if (place != kNowhere) input.has_location[place] = 1;
  }
  for (ReportMetric& metric : structure_.metrics) adapt_metric(metric, combination);
}

const std::vector<std::string>& CombinedCube::damage() const {
  damage_.clear();
  for (const Input& input : inputs_) {
    const auto& more = input.reader.source().damage();
    damage_.insert(damage_.end(), more.begin(), more.end());
  }
  return damage_;
}

bool CombinedCube::has_row(MetricId metric, CallPathId path) const {
  const bool is_inclusive = structure_.metrics[metric.value].kind == MetricKind::kInclusive;
  return std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& input) {
    const std::uint32_t own = input.map.metrics[metric.value];
    if (own == kNowhere) return false;
    const auto sources = (is_inclusive ? input.map.inclusive : input.map.exclusive).of(path.value);
    return std::any_of(sources.begin(), sources.end(), [&](std::uint32_t source) {
      return is_inclusive ? input.reader.has_inclusive(MetricId(own), CallPathId(source))
                          : input.reader.has_exclusive(MetricId(own), CallPathId(source));
    });
  });
}

void CombinedCube::read_own(const Input& input, MetricId own, CallPathId path, bool is_inclusive,
                            std::span<double> row) const {
  if (is_inclusive) {
    input.reader.read_inclusive(own, path, row);
  } else {
    input.reader.read_exclusive(own, path, row);
  }
}

// The values of one input, in its own locations scattered over those of the result. False if they are absent.
bool CombinedCube::gather(const Input& input, MetricId metric, CallPathId path, std::span<double> row) const {
  const ReportMetric& facts = structure_.metrics[metric.value];
  const bool is_inclusive = facts.kind == MetricKind::kInclusive;
  const std::uint32_t own = input.map.metrics[metric.value];
  const auto sources = (is_inclusive ? input.map.inclusive : input.map.exclusive).of(path.value);
  if (own == kNowhere || sources.empty()) return false;
  const ReportStructure& theirs = input.reader.source().structure();
  if (is_derived(theirs.metrics[own].kind)) return false;
  const ValueFormat format = theirs.metrics[own].format();
  const std::size_t size = theirs.locations.size() * format.components();
  if (input.has_same_columns && sources.size() == 1) {
    read_own(input, MetricId(own), CallPathId(sources[0]), is_inclusive, row);
    return true;
  }
  std::vector<std::vector<double>> rows;
  for (const std::uint32_t source : sources)
    read_own(input, MetricId(own), CallPathId(source), is_inclusive, rows.emplace_back(size));
  if (is_additive(format.type) && format.components() == 1) sort_columns(rows);
  std::vector<double> sum(size);
  fill_neutral(format, sum);
  for (const std::vector<double>& each : rows) combine_rows(format, sum, each);
  scatter(input, format, sum, row);
  return true;
}

void CombinedCube::scatter(const Input& input, ValueFormat format, std::span<const double> from,
                           std::span<double> into) const {
  const std::size_t width = format.components();
  fill_neutral(format, into);
  for (std::size_t location = 0; location < input.map.locations.size(); ++location) {
    const std::size_t place = input.map.locations[location];
    if (place != kNowhere)
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(location * width), width,
                  into.begin() + static_cast<std::ptrdiff_t>(place * width));
  }
}

void CombinedCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const ValueFormat format = structure_.metrics[metric.value].format();
  fill_neutral(format, row);
  gathered_.resize(row.size());
  is_set_.assign(structure_.locations.size(), 0);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (gather(inputs_[i], metric, path, gathered_)) {
      combine(inputs_[i], format, i, gathered_, row);
    } else if (combination_ == Combination::kDifference && !is_additive(format.type)) {
      fill_neutral(format, row);
    }
}

// Adds the values of the input number `order` to what those before made of the row.
void CombinedCube::combine(const Input& input, ValueFormat format, std::size_t order, std::span<const double> from,
                           std::span<double> into) const {
  const bool is_limit = !is_additive(format.type);
  if (is_limit && combination_ == Combination::kDifference) {
    if (order == 0) std::copy(from.begin(), from.end(), into.begin());
    else subtract_limits(format.type, from, into);
    return;
  }
  if (is_limit) return combine_rows(format, into, from);
  const std::size_t width = format.components();
  const auto value_of = [width](auto row, std::size_t location) { return row.subspan(location * width, width); };
  switch (combination_) {
    case Combination::kDifference:
      if (order == 0) {
        std::copy(from.begin(), from.end(), into.begin());
      } else {
        subtract_rows(format, into, from);
      }
      return;
    case Combination::kMean:
    case Combination::kExactMean:
      for (std::size_t i = 0; i < from.size(); i += width)
        add_share(format, value_of(into, i / width), value_of(from, i / width), inputs_.size());
      return;
    default: break;
  }
  for (std::size_t location = 0; location < is_set_.size(); ++location) {
    if (!input.has_location[location]) continue;
    const auto theirs = value_of(from, location);
    const auto ours = value_of(into, location);
    const double left = number_of(format, ours), right = number_of(format, theirs);
    const bool is_better =
        combination_ == Combination::kMerge || (combination_ == Combination::kMinimum ? right < left : right > left);
    if (!is_set_[location] || is_better) std::copy(theirs.begin(), theirs.end(), ours.begin());
    is_set_[location] = 1;
  }
}

namespace {

std::vector<bool> regions_called(const ReportStructure& report, const std::vector<std::string>& names) {
  std::vector<bool> is_called(report.regions.size());
  for (std::size_t region = 0; region < report.regions.size(); ++region)
    is_called[region] = std::find(names.begin(), names.end(), report.regions[region].name) != names.end();
  return is_called;
}

// Everything of a report but its call paths and the regions they use.
MappedReports without_program(const ReportStructure& report) {
  MappedReports mapped;
  mapped.structure = report;
  mapped.structure.call_paths.clear();
  ReportMap map;
  for (std::uint32_t metric = 0; metric < report.metrics.size(); ++metric) map.metrics.push_back(metric);
  for (std::uint32_t location = 0; location < report.locations.size(); ++location) map.locations.push_back(location);
  mapped.maps.push_back(std::move(map));
  return mapped;
}

// Keeps the paths that have a place of their own, and only the regions that are left. [path]: path of the result.
std::vector<std::uint32_t> keep_paths(const ReportStructure& report, const std::vector<bool>& is_kept,
                                      MappedReports& mapped) {
  ReportStructure& result = mapped.structure;
  std::vector<std::uint32_t> places(report.call_paths.size(), kNowhere), regions(report.regions.size(), kNowhere);
  result.regions.clear();
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
    if (!is_kept[path]) continue;
    ReportCallPath facts = report.call_paths[path];
    const std::uint32_t parent = facts.parent.value < path ? places[facts.parent.value] : kNowhere;
    facts.parent = parent == kNowhere ? CallPathId() : CallPathId(parent);
    if (regions[facts.region] == kNowhere) {
      regions[facts.region] = static_cast<std::uint32_t>(result.regions.size());
      result.regions.push_back(report.regions[facts.region]);
    }
    facts.region = regions[facts.region];
    places[path] = static_cast<std::uint32_t>(result.call_paths.size());
    result.call_paths.push_back(std::move(facts));
  }
  return places;
}

}  // namespace

MappedReports cut_to_roots(const ReportStructure& report, const std::vector<std::string>& names) {
  const std::vector<bool> is_named = regions_called(report, names);
  std::vector<bool> is_kept(report.call_paths.size());
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
    const std::uint32_t parent = report.call_paths[path].parent.value;
    is_kept[path] = is_named[report.call_paths[path].region] || (parent < path && is_kept[parent]);
  }
  MappedReports mapped = without_program(report);
  const auto places = keep_paths(report, is_kept, mapped);
  mapped.maps[0].exclusive = mapped.maps[0].inclusive = PathLists(places, mapped.structure.call_paths.size());
  return mapped;
}

MappedReports prune_regions(const ReportStructure& report, const std::vector<std::string>& names) {
  const std::vector<bool> is_named = regions_called(report, names);
  std::vector<bool> is_kept(report.call_paths.size());
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
    const std::uint32_t parent = report.call_paths[path].parent.value;
    is_kept[path] = parent >= path || (is_kept[parent] && !is_named[report.call_paths[path].region]);
  }
  MappedReports mapped = without_program(report);
  auto places = keep_paths(report, is_kept, mapped);
  const std::size_t size = mapped.structure.call_paths.size();
  mapped.maps[0].inclusive = PathLists(places, size);
  for (std::uint32_t path = 0; path < places.size(); ++path)
    if (places[path] == kNowhere) places[path] = places[report.call_paths[path].parent.value];
  mapped.maps[0].exclusive = PathLists(places, size);
  return mapped;
}

namespace {

// Only nodes that hold a process, at whatever depth.
void keep_used_nodes(ReportStructure& report) {
  const auto nodes = std::move(report.system_nodes);
  std::vector<std::uint32_t> places(nodes.size(), kNowhere);
  for (const ReportProcess& process : report.processes)
    for (std::uint32_t node = process.node; places[node] == kNowhere; node = nodes[node].parent) {
      places[node] = 0;
      if (nodes[node].parent >= node) break;
    }
  report.system_nodes.clear();
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    if (places[node] == kNowhere) continue;
    places[node] = static_cast<std::uint32_t>(report.system_nodes.size());
    report.system_nodes.push_back(nodes[node]);
    if (nodes[node].parent < node) report.system_nodes.back().parent = places[nodes[node].parent];
  }
  for (ReportProcess& process : report.processes) process.node = places[process.node];
}

}  // namespace

MappedReports keep_locations(const ReportStructure& report, const std::vector<bool>& is_kept) {
  MappedReports mapped;
  mapped.structure = report;
  ReportStructure& result = mapped.structure;
  result.processes.clear();
  result.locations.clear();
  ReportMap map;
  for (std::uint32_t metric = 0; metric < report.metrics.size(); ++metric) map.metrics.push_back(metric);
  map.locations.resize(report.locations.size(), kNowhere);
  std::vector<std::uint32_t> processes(report.processes.size(), kNowhere);
  for (std::uint32_t location = 0; location < report.locations.size(); ++location) {
    if (!is_kept[location]) continue;
    std::uint32_t& process = processes[report.locations[location].process];
    if (process == kNowhere) {
      process = static_cast<std::uint32_t>(result.processes.size());
      result.processes.push_back(report.processes[report.locations[location].process]);
    }
    map.locations[location] = static_cast<std::uint32_t>(result.locations.size());
    result.locations.push_back(report.locations[location]);
    result.locations.back().process = process;
  }
  keep_used_nodes(result);
  for (ReportTopology& topology : result.topologies) {
    auto coordinates = std::move(topology.coordinates);
    topology.coordinates.clear();
    for (auto& [location, place] : coordinates)
      if (location < map.locations.size() && map.locations[location] != kNowhere)
        topology.coordinates[map.locations[location]] = std::move(place);
  }
  std::vector<std::uint32_t> paths(report.call_paths.size());
  for (std::uint32_t path = 0; path < paths.size(); ++path) paths[path] = path;
  map.exclusive = map.inclusive = PathLists(paths, paths.size());
  mapped.maps.push_back(std::move(map));
  return mapped;
}

}  // namespace tarry
