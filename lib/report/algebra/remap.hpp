// remap.hpp -- puts a report's metrics into the hierarchy that a specification describes.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/tree/report_map.hpp"

namespace tarry {

/// The metrics of a specification (docs/CUBEX.md, "Specifications"): elements `doc` and `metrics` as in an anchor, but
/// metrics have no ids. `path` names it in errors.
Result<ReportStructure> read_specification(std::string_view text, const std::string& path);

/// The report with the specification's metrics: those of the same name get the report's values, derived ones are
/// definitions. Metrics of the report that the specification does not mention follow as further roots.
MappedReports remap_metrics(const ReportStructure& report, const ReportStructure& specification);

/// A report without metrics that do not apply to it, and, if wanted, with the values of derived metrics stored as
/// inclusive ones. Rows are computed when read.
class SettledCube : public CubeSource {
 public:
  /// `source` must outlive it.
  SettledCube(const CubeSource& source, bool stores_derived);

  const ReportStructure& structure() const override { return structure_; }
  const CallPathTree& call_tree() const override { return source_.call_tree(); }
  const std::vector<ReportFile>& files() const override { return source_.files(); }
  bool has_row(MetricId metric, CallPathId path) const override;
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  const std::vector<std::string>& damage() const override;

 private:
  bool was_derived(MetricId metric) const;

  const CubeSource& source_;
  mutable CubeValues values_;
  ReportStructure structure_;
  mutable std::vector<double> numbers_;
  mutable std::vector<std::string> damage_;
};

}  // namespace tarry
