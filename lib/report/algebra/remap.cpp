// remap.cpp -- puts a report's metrics into the hierarchy that a specification describes.
#include "report/algebra/remap.hpp"

#include <algorithm>
#include <unordered_map>

#include "report/cubex/cubex_anchor_reader.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {

namespace {

// Programs in specifications are written as they are, with '<' as less-than; XML wants an entity there.
std::string with_entities(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t element = std::min(text.find("<cubepl", at), text.size());
    const std::size_t begin = std::min(text.find('>', element), text.size());
    const std::size_t end = std::min(text.find("</cubepl", begin), text.size());
    out += text.substr(at, begin - at);
    const bool is_quoted = text.substr(begin, end - begin).find("<![CDATA[") != text.npos;
    for (const char c : text.substr(begin, end - begin))
      if (c == '<' && !is_quoted) out += "&lt;";
      else out.push_back(c);
    at = std::max(end, begin + (begin == end));
  }
  return out;
}

// Programs without their remarks: readers take a line break in an anchor for a space, and the rest for a remark.
std::string without_remarks(std::string_view program) {
  std::string out;
  bool is_quoted = false;
  for (std::size_t at = 0; at < program.size(); ++at) {
    is_quoted = is_quoted != (program[at] == '"');
    if (!is_quoted && program.substr(at).starts_with("//")) at = std::min(program.find('\n', at), program.size());
    if (at < program.size()) out.push_back(program[at]);
  }
  return out;
}

}  // namespace

Result<ReportStructure> read_specification(std::string_view text, const std::string& path) {
  // A fragment of an anchor: read as one without program and system.
  std::string anchor = "<cube version=\"4.4\">";
  if (text.starts_with("<?xml")) text.remove_prefix(std::min(text.find("?>") + 2, text.size()));
  anchor.append(with_entities(text)).append("</cube>");
  TARRY_TRY_ASSIGN(read, read_anchor(anchor, path));
  if (read.structure.metrics.empty()) return Error{path, "describes no metric", ""};
  for (ReportMetric& metric : read.structure.metrics) {
    metric.expression = without_remarks(metric.expression);
    metric.init_expression = without_remarks(metric.init_expression);
  }
  return std::move(read.structure);
}

namespace {

// Values of the report under a description of the specification.
ReportMetric described(const ReportMetric& own, const ReportMetric& wanted) {
  ReportMetric metric = wanted;
  metric.kind = own.kind;
  metric.type = own.type;
  metric.tuple_size = own.tuple_size;
  metric.expression = own.expression;
  metric.init_expression = wanted.init_expression.empty() ? own.init_expression : wanted.init_expression;
  metric.aggregations = own.aggregations;
  return metric;
}

}  // namespace

MappedReports remap_metrics(const ReportStructure& report, const ReportStructure& specification) {
  MappedReports mapped;
  mapped.structure = report;
  ReportStructure& result = mapped.structure;
  result.metrics.clear();
  if (!specification.mirrors.empty()) result.mirrors = specification.mirrors;
  ReportMap map;
  std::vector<std::uint32_t> places(report.metrics.size(), kNowhere);  // [metric of the report]
  for (const ReportMetric& wanted : specification.metrics) {
    const MetricId own = find_metric(report, wanted.unique_name);
    const bool has_values = own.is_valid() && !is_derived(wanted.kind);
    if (own.is_valid()) places[own.value] = static_cast<std::uint32_t>(result.metrics.size());
    result.metrics.push_back(has_values ? described(report.metrics[own.value], wanted) : wanted);
    map.metrics.push_back(has_values ? own.value : kNowhere);
  }
  for (std::uint32_t metric = 0; metric < report.metrics.size(); ++metric) {
    if (places[metric] != kNowhere) continue;
    places[metric] = static_cast<std::uint32_t>(result.metrics.size());
    ReportMetric facts = report.metrics[metric];
    const std::uint32_t parent = facts.parent.value < metric ? places[facts.parent.value] : kNowhere;
    facts.parent = parent >= specification.metrics.size() && parent != kNowhere ? MetricId(parent) : MetricId();
    result.metrics.push_back(std::move(facts));
    map.metrics.push_back(metric);
  }
  std::vector<std::uint32_t> paths(report.call_paths.size());
  for (std::uint32_t path = 0; path < paths.size(); ++path) paths[path] = path;
  map.exclusive = map.inclusive = PathLists(paths, paths.size());
  for (std::uint32_t location = 0; location < report.locations.size(); ++location) map.locations.push_back(location);
  mapped.maps.push_back(std::move(map));
  return mapped;
}

SettledCube::SettledCube(const CubeSource& source, bool stores_derived)
    : source_(source), values_(source), structure_(source.structure()) {
  for (std::uint32_t metric = 0; metric < structure_.metrics.size(); ++metric) {
    ReportMetric& facts = structure_.metrics[metric];
    facts.is_void = values_.is_void(MetricId(metric));
    if (!stores_derived || !is_derived(facts.kind)) continue;
    facts.kind = MetricKind::kInclusive;
    facts.type = ValueType::kDouble;
    facts.tuple_size = 0;
    facts.expression.clear();
    facts.init_expression.clear();
    facts.aggregations.clear();
  }
}

bool SettledCube::was_derived(MetricId metric) const {
  const ReportMetric& before = source_.structure().metrics[metric.value];
  return is_derived(before.kind) && !is_derived(structure_.metrics[metric.value].kind);
}

bool SettledCube::has_row(MetricId metric, CallPathId path) const {
  if (!was_derived(metric)) return source_.has_row(metric, path);
  return values_.row(metric, path, Flavour::kInclusive, numbers_);
}

void SettledCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  if (!was_derived(metric)) return source_.read_row(metric, path, row);
  values_.row(metric, path, Flavour::kInclusive, numbers_);
  std::copy(numbers_.begin(), numbers_.end(), row.begin());
}

const std::vector<std::string>& SettledCube::damage() const {
  damage_ = values_.damage();
  return damage_;
}

}  // namespace tarry
