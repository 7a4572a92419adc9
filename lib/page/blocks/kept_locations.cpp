// kept_locations.cpp -- of a report whose values are too many for a page: whose single values it has all the same.
#include "page/blocks/kept_locations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace tarry {
namespace {

constexpr std::size_t kMostCandidates = 4096;  // of one metric
constexpr std::uint32_t kMostGroups = 256;

// What a metric says about which locations to keep.
struct Candidates {
  std::vector<std::uint32_t> heaviest, outliers;
};

// The locations with the largest keys first; the first of equal ones.
std::vector<std::uint32_t> with_largest(const std::vector<double>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t count = std::min(order.size(), kMostCandidates);
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return keys[left] != keys[right] ? keys[left] > keys[right] : left < right;
  });
  order.resize(count);
  return order;
}

Candidates candidates_of(const std::vector<double>& sums) {
  std::vector<double> sorted = sums;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  const double median = sorted[sorted.size() / 2];
  std::vector<double> distances;
  for (const double sum : sums) distances.push_back(std::abs(sum - median));
  return {with_largest(sums), with_largest(distances)};
}

// Looks at every value once.
class LocationChooser {
 public:
  explicit LocationChooser(ExploredRun& run) : run_(run) {
    for (const PageMetric& metric : run.metrics())
      if (metric.together == Together::kSum) add_metric(metric.id);
  }

  std::vector<std::uint32_t> choose(std::size_t bytes) const {
    const std::size_t locations = run_.structure().locations.size();
    const double bytes_each =
        8.0 * static_cast<double>(values_) / static_cast<double>(std::max<std::size_t>(1, locations));
    const auto fitting = static_cast<std::size_t>(static_cast<double>(bytes) / std::max(8.0, bytes_each));
    const std::size_t wanted = std::min(locations, std::max<std::size_t>(1, fitting));
    std::set<std::uint32_t> chosen;
    for (std::size_t turn = 0; turn < kMostCandidates && chosen.size() < wanted; ++turn)
      for (const Candidates& of_metric : candidates_)
        for (const auto* list : {&of_metric.heaviest, &of_metric.outliers})
          if (turn < list->size() && chosen.size() < wanted) chosen.insert((*list)[turn]);
    return {chosen.begin(), chosen.end()};
  }

 private:
  void add_metric(MetricId metric) {
    std::vector<double> sums(run_.structure().locations.size()), row;
    bool has_values = false;
    for (const std::uint32_t path : run_.paths()) {
      if (!run_.values().row(metric, CallPathId(path), Flavour::kExclusive, row)) continue;
      has_values = true;
      for (std::size_t i = 0; i < row.size(); ++i) {
        values_ += row[i] != 0;
        if (std::isfinite(row[i])) sums[i] += row[i];
      }
    }
    if (has_values) candidates_.push_back(candidates_of(sums));
  }

  ExploredRun& run_;
  std::vector<Candidates> candidates_;
  std::size_t values_ = 0;
};

}  // namespace

std::vector<std::uint32_t> choose_locations(ExploredRun& run, std::size_t bytes) {
  return LocationChooser(run).choose(bytes);
}

LocationGroups group_locations(const ReportStructure& structure) {
  LocationGroups groups;
  const auto count_of = [](const auto& elements) { return static_cast<std::uint32_t>(elements.size()); };
  const bool are_processes =
      structure.processes.size() < structure.locations.size() && count_of(structure.processes) <= kMostGroups;
  if (!are_processes && count_of(structure.system_nodes) > kMostGroups) return groups;
  groups.what = are_processes ? "process" : "node";
  groups.count = are_processes ? count_of(structure.processes) : count_of(structure.system_nodes);
  for (const ReportLocation& location : structure.locations)
    groups.of_location.push_back(are_processes ? location.process : structure.processes[location.process].node);
  return groups;
}

}  // namespace tarry
