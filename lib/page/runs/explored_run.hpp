// explored_run.hpp -- a report as the page shows it: which metrics and call paths, in which order.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "report/algebra/cube_values.hpp"

namespace tarry {

/// How values of call paths and of locations become one.
enum class Together : std::uint8_t { kSum, kMinimum, kMaximum, kNotAtAll };

struct PageMetric {
  MetricId id;
  std::int32_t parent = -1;  // its number on the page
  Together together = Together::kSum;
};

/// An open report. Metrics that are void or ghosts are not on the page. Call paths are in preorder there.
class ExploredRun {
 public:
  /// `input` is what the user named, `path` the report. A redacted run knows the last parts of these names only.
  static Result<std::unique_ptr<ExploredRun>> open(const std::string& input, const std::string& path, bool is_redacted);

  ExploredRun(std::string input, std::string path, std::unique_ptr<CubeSource> source);

  const std::string& input() const { return input_; }
  const std::string& path() const { return path_; }

  /// Where the report is, also of a redacted run; empty if it is no file.
  const std::string& report() const { return report_; }

  /// The archive or OTF2 trace that the report is of; empty: there is none.
  const std::string& trace() const { return trace_; }
  void set_trace(std::string trace) { trace_ = std::move(trace); }

  /// When the program ran; nothing if its source must not be shown.
  std::optional<std::time_t> program_time() const { return program_time_; }

  const CubeSource& source() const { return *source_; }
  const ReportStructure& structure() const { return source_->structure(); }
  CubeValues& values() { return values_; }
  const std::vector<PageMetric>& metrics() const { return metrics_; }
  const std::vector<std::uint32_t>& paths() const { return paths_; }  // [path of the page]: that of the report
  const std::vector<std::uint32_t>& page_paths() const { return page_paths_; }  // [path of the report]

 private:
  void list_metrics_of_page();

  std::string input_, path_, report_, trace_;
  std::optional<std::time_t> program_time_;
  std::unique_ptr<CubeSource> source_;
  CubeValues values_;
  std::vector<PageMetric> metrics_;
  std::vector<std::uint32_t> paths_, page_paths_;
};

/// [call path] of the report: how many there are from its root to it.
std::vector<std::size_t> path_depths(const ReportStructure& structure);

/// Whether a cell has a value to show: it is not zero, nor a minimum or maximum without a value.
bool is_shown(ValueType type, double value);

}  // namespace tarry
