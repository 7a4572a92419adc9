// cube_source.hpp -- a report whose rows are fetched one at a time: a file, a report in memory, or a computation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// Trees in memory, values on demand. What computes with reports reads and offers this, so that memory holds a few rows
/// of each report and never a whole one. Not thread-safe: a row may be read from a file or inflated on the way.
class CubeSource {
 public:
  CubeSource() = default;
  CubeSource(const CubeSource&) = delete;
  virtual ~CubeSource() = default;

  virtual const ReportStructure& structure() const = 0;

  /// The call tree of structure().
  virtual const CallPathTree& call_tree() const = 0;

  /// Extra files.
  virtual const std::vector<ReportFile>& files() const = 0;

  /// False if the row certainly holds nothing but neutral elements. Always false for derived metrics.
  virtual bool has_row(MetricId metric, CallPathId path) const = 0;

  /// The row in the stored flavour of the metric; neutral where there is none. `row` has locations x components places.
  virtual void read_row(MetricId metric, CallPathId path, std::span<double> row) const = 0;

  /// The same row where it lies in memory anyway, which saves a copy; empty if it does not.
  virtual std::span<const double> row_in_memory(MetricId, CallPathId) const { return {}; }

  /// What could not be read so far, one sentence each; may grow while rows are read.
  virtual const std::vector<std::string>& damage() const = 0;
};

/// A report in memory as a source. The report must outlive it.
class ReportCube : public CubeSource {
 public:
  explicit ReportCube(const Report& report) : report_(report) {}

  const ReportStructure& structure() const override { return report_.structure; }
  const CallPathTree& call_tree() const override { return report_.call_tree(); }
  const std::vector<ReportFile>& files() const override { return report_.files; }
  bool has_row(MetricId metric, CallPathId path) const override { return !report_.find_row(metric, path).empty(); }
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  std::span<const double> row_in_memory(MetricId metric, CallPathId path) const override {
    return report_.find_row(metric, path);
  }
  const std::vector<std::string>& damage() const override { return report_.damage; }

 private:
  const Report& report_;
};

/// All rows that `source` has, in memory. Rows of nothing but zeros are not kept where a missing row means the same.
Report load_report(const CubeSource& source);

}  // namespace tarry
