// overheads.cpp -- divides the time of each call path among the classes of overhead.
//
// One rule makes a partition. Idle threads, the management of teams, wait states and memory events take their parts of
// the time of a location at a call path. They do so one after another, and each takes at most what is left. The rest
// belongs to the class of the region.
#include "findings/overheads/overheads.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>

#include "base/text/function_name.hpp"
#include "base/text/glob.hpp"
#include "findings/overheads/overhead_rules.hpp"
#include "findings/overheads/wanted_overheads.hpp"
#include "findings/causes/wait_metrics.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

// A function or region that is the program's own.
bool is_code(const ReportRegion& region) {
  return region.paradigm != "openmp" && !is_overhead_directive(region) && overhead_of(region) == Overhead::kComputation;
}

// By call path: the region of the program that it is in.
std::vector<std::uint32_t> code_regions(const ReportStructure& structure) {
  std::vector<bool> is_own;
  for (const ReportRegion& region : structure.regions) is_own.push_back(is_code(region));
  std::vector<std::uint32_t> code;
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    const ReportCallPath& facts = structure.call_paths[path];
    const bool has_caller = facts.parent.value < path;
    code.push_back(has_caller && !is_own[facts.region] ? code[facts.parent.value] : facts.region);
  }
  return code;
}

bool is_wanted(const ReportRegion& region, const std::string& pattern) {
  return is_named(region.name, pattern) || is_named(function_name(region.name), pattern);
}

// By call path; all false if there is no such region.
std::vector<bool> select_paths(const ReportStructure& structure, const std::string& pattern) {
  if (pattern.empty()) return std::vector<bool>(structure.call_paths.size(), true);
  std::vector<bool> has_name(structure.regions.size());
  for (std::size_t region = 0; region < has_name.size(); ++region)
    has_name[region] = is_wanted(structure.regions[region], pattern);
  std::vector<bool> is_selected;
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    const ReportCallPath& facts = structure.call_paths[path];
    is_selected.push_back(has_name[facts.region] || (facts.parent.value < path && is_selected[facts.parent.value]));
  }
  return is_selected;
}

// Call paths of one region of the program, those of regions with the same name included.
struct CodeRegion {
  std::uint32_t region = 0;
  bool is_root = false;
  std::vector<CallPathId> paths;
};

std::vector<CodeRegion> group_paths(const ReportStructure& structure, const std::vector<bool>& is_selected) {
  const std::vector<std::uint32_t> code = code_regions(structure);
  std::map<std::string_view, std::size_t> by_name;
  std::vector<CodeRegion> groups;
  for (std::uint32_t path = 0; path < code.size(); ++path) {
    if (!is_selected[path]) continue;
    const auto [found, is_new] = by_name.emplace(structure.regions[code[path]].name, groups.size());
    if (is_new) groups.push_back({code[path], false, {}});
    CodeRegion& group = groups[found->second];
    group.paths.push_back(CallPathId(path));
    const ReportCallPath& facts = structure.call_paths[path];
    if (facts.parent.value >= path && facts.region == code[path]) group.is_root = true;
  }
  return groups;
}

struct Cost {
  MetricId counter;
  Overhead overhead;
  Seconds seconds;
};

class Divider {
 public:
  Divider(const Report& report, const TimeGrid& grid)
      : structure_(report.structure), cube_(report), values_(cube_), grid_(grid), waits_(wait_metrics(structure_)) {
    time_ = report.find_metric("time");
    idle_ = report.find_metric("omp_idle_threads");
    limited_ = report.find_metric("omp_limited_parallelism");
    management_ = report.find_metric("omp_management");
    for (const ReportRegion& region : structure_.regions) own_classes_.push_back(overhead_of(region));
  }

  Status set_costs(const std::vector<EventCost>& costs);
  Overheads divide(const std::vector<bool>& is_selected);

 private:
  void end_region(RegionOverheads& region);
  void divide_path(CallPathId path);
  void take(MetricId metric, CallPathId path, Overhead to, double factor = 1);
  void take_row(CallPathId path, Overhead to);
  void take_idle(CallPathId path);
  void add(CallPathId path, Overhead overhead, Seconds seconds);
  void count_events(const std::vector<bool>& is_selected);

  const ReportStructure& structure_;
  const ReportCube cube_;
  CubeValues values_;
  const TimeGrid& grid_;
  MetricId time_, idle_, limited_, management_;
  std::vector<MetricId> waits_;
  std::vector<Overhead> own_classes_;  // [region]
  std::vector<Cost> costs_;
  Overheads result_;
  std::vector<double> left_, row_, limits_;   // [location], of a call path
  std::vector<Seconds> whole_, computation_;  // [location]: all together; of a region
};

Status Divider::set_costs(const std::vector<EventCost>& costs) {
  for (const EventCost& cost : costs) {
    const auto overhead = overhead_of_counter(cost.counter);
    if (!overhead) return Error{cost.counter, "is no counter of memory", "choose one of " + counters_with_overhead()};
    const MetricId counter = find_metric(structure_, cost.counter);
    if (!counter.is_valid())
      return Error{cost.counter, "the report does not hold this counter",
                   "record it with 'tarry measure --metrics " + cost.counter + "'"};
    costs_.push_back({counter, *overhead, cost.seconds});
  }
  return {};
}

void Divider::add(CallPathId path, Overhead overhead, Seconds seconds) {
  if (seconds == 0) return;
  RegionOverheads& region = result_.regions.back();
  region.times[overhead] += seconds;
  result_.all[overhead] += seconds;
  for (OverheadPlace& place : std::views::reverse(result_.places)) {
    if (place.call_path != path) break;
    if (place.overhead != overhead) continue;
    place.seconds += seconds;
    return;
  }
  result_.places.push_back({path, overhead, seconds, result_.regions.size() - 1});
}

// What `row_` wants, as far as it is left.
void Divider::take_row(CallPathId path, Overhead to) {
  Seconds taken = 0;
  for (std::size_t location = 0; location < left_.size(); ++location) {
    if (!(row_[location] > 0) || left_[location] <= 0) continue;  // NaN takes nothing
    const Seconds part = grid_.round(std::min(row_[location], left_[location]));
    left_[location] -= part;
    taken += part;
  }
  add(path, to, taken);
}

void Divider::take(MetricId metric, CallPathId path, Overhead to, double factor) {
  if (!metric.is_valid() || !values_.row(metric, path, Flavour::kExclusive, row_)) return;
  for (double& value : row_) value *= factor;
  take_row(path, to);
}

// Threads that are not in a team are part of all idle ones.
void Divider::take_idle(CallPathId path) {
  if (!idle_.is_valid() || !values_.row(idle_, path, Flavour::kExclusive, limits_)) return;
  const bool has_limited = limited_.is_valid() && values_.row(limited_, path, Flavour::kExclusive, row_);
  if (has_limited) {
    for (std::size_t location = 0; location < limits_.size(); ++location) limits_[location] -= row_[location];
    take_row(path, Overhead::kPartlyParallel);
  }
  row_ = limits_;
  take_row(path, Overhead::kUnparallelized);
}

void Divider::divide_path(CallPathId path) {
  if (!values_.row(time_, path, Flavour::kExclusive, left_)) return;
  for (std::size_t location = 0; location < left_.size(); ++location) {
    left_[location] = grid_.round(left_[location]);
    whole_[location] += left_[location];
  }
  const Overhead own = own_classes_[structure_.call_paths[path.value].region];
  take_idle(path);
  take(management_, path, Overhead::kForkJoin);
  for (const MetricId wait : waits_)
    take(wait, path, overhead_of_wait(structure_.metrics[wait.value].unique_name, own));
  for (const Cost& cost : costs_) take(cost.counter, path, cost.overhead, cost.seconds);
  add(path, own, std::accumulate(left_.begin(), left_.end(), Seconds{0}));
  if (own != Overhead::kComputation) return;
  for (std::size_t location = 0; location < left_.size(); ++location) computation_[location] += left_[location];
}

void Divider::end_region(RegionOverheads& region) {
  std::vector<Seconds> processes(structure_.processes.size());
  std::optional<Seconds> least;
  for (std::size_t location = 0; location < computation_.size(); ++location) {
    if (!structure_.locations[location].is_thread()) continue;
    processes[structure_.locations[location].process] += computation_[location];
    least = std::min(least.value_or(computation_[location]), computation_[location]);
  }
  region.least_of_locations = least.value_or(0);
  if (!processes.empty()) region.least_of_processes = *std::ranges::min_element(processes);
  region.times.sum_up();
}

void Divider::count_events(const std::vector<bool>& is_selected) {
  for (std::size_t metric = 0; metric < structure_.metrics.size(); ++metric) {
    const auto overhead = overhead_of_counter(structure_.metrics[metric].unique_name);
    if (!overhead) continue;
    OverheadEvents events{*overhead, structure_.metrics[metric].unique_name, 0};
    for (std::uint32_t path = 0; path < is_selected.size(); ++path)
      if (is_selected[path] && values_.row(MetricId(metric), CallPathId(path), Flavour::kExclusive, row_))
        events.count += std::accumulate(row_.begin(), row_.end(), 0.0);
    result_.events.push_back(std::move(events));
  }
}

Overheads Divider::divide(const std::vector<bool>& is_selected) {
  const std::size_t locations = structure_.locations.size();
  result_.locations = structure_.thread_count();
  result_.processes = structure_.processes.size();
  result_.has_wait_states = !waits_.empty();
  whole_.assign(locations, 0);
  for (const CodeRegion& group : group_paths(structure_, is_selected)) {
    result_.regions.push_back({structure_.regions[group.region].name, group.region, group.is_root, {}, 0, 0});
    computation_.assign(locations, 0);
    for (const CallPathId path : group.paths) divide_path(path);
    end_region(result_.regions.back());
  }
  result_.all.sum_up();
  result_.allocation = result_.all.whole();
  if (!whole_.empty()) result_.wall = *std::ranges::max_element(whole_);
  count_events(is_selected);
  return std::move(result_);
}

// Largest first; places keep the numbers of their regions.
void sort_by_time(Overheads& overheads) {
  std::vector<std::size_t> order(overheads.regions.size()), position(order.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Seconds> whole;
  for (const RegionOverheads& region : overheads.regions) whole.push_back(region.times.whole());
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return whole[a] > whole[b]; });
  std::vector<RegionOverheads> sorted;
  for (const std::size_t region : order) {
    position[region] = sorted.size();
    sorted.push_back(overheads.regions[region]);
  }
  overheads.regions = std::move(sorted);
  for (OverheadPlace& place : overheads.places) place.region = position[place.region];
  std::ranges::stable_sort(overheads.places, std::ranges::greater(), &OverheadPlace::seconds);
}

}  // namespace

void OverheadTimes::sum_up() {
  for (const OverheadInfo& info : overhead_classes())
    if (info.source == OverheadSource::kParts) (*this)[info.overhead] = 0;
  for (const OverheadInfo& info : std::views::reverse(overhead_classes()))
    if (info.parent != Overhead::kNone) (*this)[info.parent] += (*this)[info.overhead];
}

Seconds OverheadTimes::whole() const {
  Seconds sum = 0;
  for (const OverheadInfo& info : overhead_classes())
    if (is_leaf(info.overhead)) sum += (*this)[info.overhead];
  return sum;
}

Result<TimeGrid> time_grid_of(const std::vector<const Report*>& reports) {
  Seconds sum = 0;
  for (const Report* report : reports) {
    const MetricId time = report->find_metric("time");
    if (!time.is_valid()) return Error{"report", "has no metric 'time'", "is it a report of a run?"};
    const ReportCube cube(*report);
    CubeValues values(cube);
    std::vector<double> row;
    for (std::uint32_t path = 0; path < report->structure.call_paths.size(); ++path)
      if (values.row(time, CallPathId(path), Flavour::kExclusive, row))
        for (const double value : row) sum += std::abs(value);
  }
  if (!std::isfinite(sum)) return Error{"report", "holds times that are no numbers", "make it again"};
  return TimeGrid(sum);
}

Result<Overheads> find_overheads(const Report& report, const OverheadQuery& query, const TimeGrid& grid) {
  const std::vector<bool> is_selected = select_paths(report.structure, query.region);
  if (std::ranges::find(is_selected, true) == is_selected.end() && !query.region.empty())
    return Error{query.region, "the report has no call path of such a region",
                 "'tarry report --overheads --csv' lists all regions"};
  Divider divider(report, grid);
  TARRY_TRY(divider.set_costs(query.costs));
  Overheads overheads = divider.divide(is_selected);
  sort_by_time(overheads);
  return overheads;
}

}  // namespace tarry
