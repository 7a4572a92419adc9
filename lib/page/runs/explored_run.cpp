// explored_run.cpp -- a report as the page shows it.
#include "page/runs/explored_run.hpp"

#include <filesystem>

#include "page/blocks/program_time.hpp"
#include "report/algebra/redacted_cube.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/cubex/cubex_file.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

Together together(const ReportMetric& metric) {
  if (metric.kind == MetricKind::kPostDerived) return Together::kNotAtAll;
  switch (metric.type) {
    case ValueType::kMinDouble: return Together::kMinimum;
    case ValueType::kMaxDouble: return Together::kMaximum;
    case ValueType::kTauAtomic:
    case ValueType::kComplex:
    case ValueType::kRate: return Together::kNotAtAll;
    default: return Together::kSum;
  }
}

// "run" of a/run and a/run/
std::string last_part(const std::string& name) {
  const std::filesystem::path path(name);
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

Result<std::unique_ptr<ExploredRun>> ExploredRun::open(const std::string& input, const std::string& path,
                                                       bool is_redacted) {
  TARRY_TRY_ASSIGN(file, CubexFile::open(path));
  auto run = is_redacted ? std::make_unique<ExploredRun>(last_part(input), last_part(path),
                                                         std::make_unique<RedactedCube>(std::move(file)))
                         : std::make_unique<ExploredRun>(input, path, std::move(file));
  if (!is_redacted) run->program_time_ = tarry::program_time(path);
  run->report_ = path;
  return run;
}

ExploredRun::ExploredRun(std::string input, std::string path, std::unique_ptr<CubeSource> source)
    : input_(std::move(input)),
      path_(std::move(path)),
      source_(std::move(source)),
      values_(*source_),
      paths_(source_->call_tree().preorder()),
      page_paths_(paths_.size()) {
  list_metrics_of_page();
  for (std::uint32_t path = 0; path < paths_.size(); ++path) page_paths_[paths_[path]] = path;
}

void ExploredRun::list_metrics_of_page() {
  const std::vector<ReportMetric>& all = structure().metrics;
  std::vector<std::int32_t> numbers(all.size(), -1);
  for (const ListedMetric& listed : list_metrics(all)) {
    const MetricId id = listed.metric;
    if (all[id.value].is_ghost || values_.is_void(id)) continue;
    MetricId parent = all[id.value].parent;
    while (parent.is_valid() && numbers[parent.value] < 0) parent = all[parent.value].parent;
    numbers[id.value] = static_cast<std::int32_t>(metrics_.size());
    metrics_.push_back({id, parent.is_valid() ? numbers[parent.value] : -1, together(all[id.value])});
  }
}

std::vector<std::size_t> path_depths(const ReportStructure& structure) {
  std::vector<std::size_t> depths(structure.call_paths.size(), 1);
  for (std::size_t path = 0; path < depths.size(); ++path) {
    const CallPathId parent = structure.call_paths[path].parent;
    if (parent.is_valid() && parent.value < path) depths[path] = depths[parent.value] + 1;
  }
  return depths;
}

bool is_shown(ValueType type, double value) { return value != 0 && !is_neutral_number(type, value); }

}  // namespace tarry
