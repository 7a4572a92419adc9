// heap_findings.cpp -- ranks functions by what they leave, and processes by what they have at most.
#include "findings/heap_findings.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "findings/imbalance/process_values.hpp"

namespace tarry {
namespace {

// A program may leave what it needs to its end. That are few blocks.
constexpr double kLeastBytes = 1e6, kLeastBlocks = 10;

bool is_of_program(const ReportRegion& region) {
  return region.paradigm == "compiler" || region.paradigm == "user" || region.paradigm == "unknown";
}

double sum_over_processes(const ProcessValues& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

ProcessValues row_by_process(const Report& report, MetricId metric, CallPathId path) {
  ProcessValues values(report.structure.processes.size());
  if (metric.is_valid()) add_row(report, metric, path, values);
  return values;
}

ReportRank rank_of_most(const ReportStructure& structure, const ProcessValues& values) {
  const auto most = std::ranges::max_element(values) - values.begin();
  return ReportRank(structure.processes[static_cast<std::size_t>(most)].rank);
}

// What one function leaves, on all its call paths.
struct LeakOfRegion {
  ProcessValues bytes;
  double blocks = 0;
  CallPathId worst_path;
  double at_worst = 0;
};

std::optional<HeapLeak> find_leak(const Report& report) {
  const ReportStructure& structure = report.structure;
  const MetricId bytes = report.find_metric("heap_leaked"), blocks = report.find_metric("heap_leaked_blocks");
  if (!bytes.is_valid() || !blocks.is_valid()) return std::nullopt;
  std::map<std::uint32_t, LeakOfRegion> leaks;
  for (std::uint32_t i = 0; i < structure.call_paths.size(); ++i) {
    const CallPathId path(i);
    const std::uint32_t region = structure.call_paths[i].region;
    if (!is_of_program(structure.regions[region])) continue;
    LeakOfRegion& leak = leaks[region];
    leak.bytes.resize(structure.processes.size());
    add_row(report, bytes, path, leak.bytes);
    leak.blocks += sum_over_processes(row_by_process(report, blocks, path));
    const double here = sum_over_processes(row_by_process(report, bytes, path));
    if (here <= leak.at_worst) continue;
    leak.at_worst = here;
    leak.worst_path = path;
  }
  std::optional<HeapLeak> most;
  for (const auto& [region, leak] : leaks) {
    const double sum = sum_over_processes(leak.bytes);
    if (sum < kLeastBytes || leak.blocks < kLeastBlocks || (most && sum <= most->bytes)) continue;
    most = HeapLeak{region, leak.worst_path, sum, leak.blocks, rank_of_most(structure, leak.bytes)};
  }
  return most;
}

std::optional<HeapPeak> find_peak(const Report& report) {
  const ReportStructure& structure = report.structure;
  const MetricId at_peak = report.find_metric("heap_at_peak");
  if (!at_peak.is_valid() || structure.processes.empty()) return std::nullopt;
  ProcessValues sums(structure.processes.size());
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path)
    add_row(report, at_peak, CallPathId(path), sums);
  const auto process = static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
  if (sums[process] <= 0) return std::nullopt;
  HeapPeak peak{.rank = rank_of_most(structure, sums), .bytes = sums[process], .call_path = {}, .at_path = 0};
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    const double here = row_by_process(report, at_peak, CallPathId(path))[process];
    if (here <= peak.at_path) continue;
    peak.at_path = here;
    peak.call_path = CallPathId(path);
  }
  return peak;
}

}  // namespace

HeapFindings find_heap(const Report& report) { return {find_leak(report), find_peak(report)}; }

}  // namespace tarry
