// targets.cpp -- says what a filter reaches, and what it cannot.
#include "score/targets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/format.hpp"
#include "base/text/function_name.hpp"
#include "base/text/printable.hpp"

namespace tarry {
namespace {

constexpr double kLargePart = 0.3;  // of the buffer: a function that is worth a line

// A region, and what is left of it.
struct Share {
  std::uint32_t region = 0;
  double value = 0;
};

// The region with most of `value(process, path)` among those that are kept, in one process.
template <class Value>
Share largest_share(const ScoreView& view, std::uint32_t process, bool may_be_filterable, Value value) {
  std::vector<double> sums(view.report.regions.size());
  for (std::uint32_t path = 0; path < view.table.costs.size(); ++path) {
    const std::uint32_t region = view.report.call_paths[path].region;
    if (view.is_dropped[region] || (view.table.is_filterable[region] && !may_be_filterable)) continue;
    sums[region] += value(process, path);
  }
  const auto most = std::max_element(sums.begin(), sums.end());
  if (most == sums.end()) return {};
  return {static_cast<std::uint32_t>(most - sums.begin()), *most};
}

std::uint32_t process_with_most(const ScoreView& view, auto value) {
  std::uint32_t most = 0;
  double largest = -1;
  for (std::uint32_t process = 0; process < view.table.buffers.size(); ++process) {
    double sum = 0;
    for (std::uint32_t path = 0; path < view.table.costs.size(); ++path)
      if (!view.is_dropped[view.report.call_paths[path].region]) sum += value(process, path);
    if (sum > largest) most = process;
    largest = std::max(largest, sum);
  }
  return most;
}

std::string shown_name(const ScoreView& view, std::uint32_t region) {
  return printable(short_names({view.report.regions[region].name}).front());
}

std::string why_kept(const ScoreView& view, std::uint32_t region) {
  if (view.table.is_filterable[region]) return "";
  switch (view.table.classes[region]) {
    case RegionGroup::kMpi: return " (MPI is never filtered)";
    case RegionGroup::kShmem: return " (OpenSHMEM is never filtered)";
    case RegionGroup::kOpenMp: return " (OpenMP is never filtered)";
    case RegionGroup::kThread: return " (threads are never filtered)";
    default: break;
  }
  if (view.table.kinds[region] == CostKind::kFile) return " (operations on files are never filtered: leave out --io)";
  return " (where a process begins)";
}

// In binary multiples, as --max-buffer takes it; rounded up.
std::string least_size(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0fk", std::ceil(bytes / 1024));
  return text;
}

std::string buffer_failure(const ScoreView& view, const ScoreTotals& left) {
  const auto bytes = [&](std::uint32_t process, std::uint32_t path) { return view.table.buffers[process][path]; };
  const std::uint32_t process = process_with_most(view, bytes);
  const Share most = largest_share(view, process, true, bytes);
  return "--max-buffer " + format_size(view.options.max_buffer) + " cannot be met: " + shown_name(view, most.region) +
         " takes " + format_size(most.value) + " of rank " + std::to_string(view.table.ranks[process]) +
         why_kept(view, most.region) + "; the least is --max-buffer " + least_size(left.largest_buffer) +
         ", or record a part of the run (TARRY_SELECT)";
}

std::string overhead_failure(const ScoreView& view, const ScoreTotals& left) {
  const auto seconds = [&](std::uint32_t process, std::uint32_t path) {
    return view.dilation.recorded(process, path, view.options.recording);
  };
  const std::uint32_t process = process_with_most(view, seconds);
  const Share most = largest_share(view, process, true, seconds);
  return "--max-overhead " + format_percent(view.options.max_overhead) + " cannot be met: recording " +
         shown_name(view, most.region) + " takes " + format_percent(view.dilation.fraction(most.value)) +
         why_kept(view, most.region) + "; " +
         format_percent(left.dilation_of(FilterPlace::kCompileTime, view.options.recording)) +
         " is what is left if the filter is used to compile";
}

// Where all is well as it is, but one function makes the trace large.
std::string largest_function(const ScoreView& view) {
  if (view.table.buffers.empty()) return "";
  const auto bytes = [&](std::uint32_t process, std::uint32_t path) {
    return view.table.is_filterable[view.report.call_paths[path].region] ? view.table.buffers[process][path] : 0;
  };
  const auto all = [&](std::uint32_t process, std::uint32_t path) { return view.table.buffers[process][path]; };
  const std::uint32_t process = process_with_most(view, all);
  const Share most = largest_share(view, process, true, bytes);
  double buffer = 0;
  for (std::uint32_t path = 0; path < view.table.costs.size(); ++path) buffer += all(process, path);
  if (most.value <= 0 || most.value < kLargePart * buffer) return "";
  return shown_name(view, most.region) + " makes " + format_percent(most.value / buffer) +
         " of the largest buffer: --max-buffer " + least_size(buffer - most.value) + " leaves it out";
}

}  // namespace

TargetRemarks target_remarks(const ScoreView& view) {
  TargetRemarks remarks;
  const ScoreOptions& options = view.options;
  const ScoreTotals left = totals_of(view, true);
  const double at_run_time = left.dilation_of(FilterPlace::kRunTime, options.recording);
  const double at_compile_time = left.dilation_of(FilterPlace::kCompileTime, options.recording);
  const bool has_rules = std::find(view.is_dropped.begin(), view.is_dropped.end(), true) != view.is_dropped.end();
  const bool meets_buffer = options.max_buffer <= 0 || left.largest_buffer <= options.max_buffer;
  const bool meets_overhead = options.max_overhead <= 0 || at_compile_time <= options.max_overhead;
  if (!meets_buffer) remarks.failures.push_back(buffer_failure(view, left));
  if (!meets_overhead) remarks.failures.push_back(overhead_failure(view, left));
  if (meets_overhead && options.max_overhead > 0 && at_run_time > options.max_overhead)
    remarks.notes.push_back("--max-overhead " + format_percent(options.max_overhead) +
                            " needs the filter when compiling (tarry instrument --filter): used at run time, " +
                            format_percent(at_run_time) + " are left, since hooks that look and return take time, too");
  if (has_rules || !meets_buffer || !meets_overhead) return remarks;
  std::string note = "the targets are met already";
  if (options.max_overhead > 0)
    note = "recording everything adds " + format_percent(at_run_time) + " (at most " +
           format_percent(options.max_overhead) + " are allowed)";
  remarks.notes.push_back(note + ": the filter has no rules");
  if (const std::string largest = largest_function(view); !largest.empty() && options.max_buffer <= 0)
    remarks.notes.push_back(largest);
  return remarks;
}

}  // namespace tarry
