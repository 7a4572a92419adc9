// collate_summary.hpp -- the call-path summaries of all threads become one report.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "archive/reading/contents.hpp"
#include "defs/definitions.hpp"
#include "report/algebra/cube_source.hpp"
#include "summary/derived_rows.hpp"
#include "summary/node_values.hpp"
#include "summary/row_block.hpp"
#include "summary/row_table.hpp"

namespace tarry {

/// Calls a visitor for the profiles of all threads, one after the other; always the same ones.
using ProfileWalk = std::function<void(const std::function<void(const ThreadProfile&)>& visit)>;

/// The metrics of an analysis report that need no comparison of events, those that only summaries have, and counters
/// (docs/METRICS.md). Call paths that run through the same regions are one; their order is that of their first
/// appearance, locations in order.
///
/// Rows are not kept but gathered when a file is written, a block of them at a time, in one walk over all profiles
/// each. Memory: call paths, one number for each thread, and a block of rows.
class SummaryCube : public CubeSource {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 20;

  /// Walks once.
  SummaryCube(const Definitions& definitions, ProfileWalk walk, std::size_t block_bytes = kBlockBytes);
  ~SummaryCube() override;

  bool is_empty() const { return report_.structure.call_paths.empty(); }
  void add_attribute(std::string key, std::string value) {
    report_.structure.attributes.push_back({std::move(key), std::move(value)});
  }

  const ReportStructure& structure() const override { return report_.structure; }
  const CallPathTree& call_tree() const override { return report_.call_tree(); }
  const std::vector<ReportFile>& files() const override { return report_.files; }
  bool has_row(MetricId metric, CallPathId path) const override {
    return rows_.has(metrics_[metric.value], path.value);
  }
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  const std::vector<std::string>& damage() const override { return report_.damage; }

 private:
  class Planner;

  void add_metrics();
  bool is_gathered(MetricId metric, CallPathId path) const;
  void gather(MetricId metric, CallPathId path) const;
  std::vector<RowBlock::Place> places_from(MetricId metric, CallPathId path) const;

  Report report_;  // without rows
  ProfileWalk walk_;
  NodeValues values_;
  DerivedRows derived_;
  std::vector<SummaryMetric> metrics_;  // by MetricId
  std::size_t rows_per_block_ = 1;
  RowTable rows_;
  std::vector<std::vector<std::uint32_t>> path_lists_;  // [list][node] call path; most threads have the same
  std::vector<std::uint32_t> list_of_;                  // [profile in the order of the walk]
  std::vector<CallPathId> region_around_;               // as regions_around()
  mutable RowBlock block_;
};

/// The whole report, in memory.
Report collate_summary(const Definitions& definitions, const std::vector<ThreadProfile>& profiles);

}  // namespace tarry
