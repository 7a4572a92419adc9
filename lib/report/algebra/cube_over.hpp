// cube_over.hpp -- a report that is another one but for some of its rows.
#pragma once

#include <string>
#include <vector>

#include "report/algebra/cube_source.hpp"

namespace tarry {

/// Passes on everything that `source` offers. What derives from it replaces rows, or facts of structure().
class CubeOver : public CubeSource {
 public:
  /// `source` must outlive it.
  explicit CubeOver(const CubeSource& source) : source_(source), structure_(source.structure()) {}

  const ReportStructure& structure() const override { return structure_; }
  const CallPathTree& call_tree() const override { return source_.call_tree(); }
  const std::vector<ReportFile>& files() const override { return source_.files(); }
  bool has_row(MetricId metric, CallPathId path) const override { return source_.has_row(metric, path); }
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override {
    source_.read_row(metric, path, row);
  }
  const std::vector<std::string>& damage() const override { return source_.damage(); }

 protected:
  const CubeSource& source_;
  ReportStructure structure_;
};

}  // namespace tarry
