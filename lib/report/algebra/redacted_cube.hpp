// redacted_cube.hpp -- a report without what tells of machines, users and folders.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/algebra/cube_source.hpp"

namespace tarry {

/// The text with the last part of each absolute path in it: "main (/home/ann/heat.c)" becomes "main (heat.c)".
std::string without_folders(std::string_view text);

/// Names of hosts become numbers, paths their last parts. Attributes and extra files that may tell of more are left
/// out. Values, regions, processes and threads stay.
class RedactedCube : public CubeSource {
 public:
  explicit RedactedCube(std::unique_ptr<CubeSource> source);

  const ReportStructure& structure() const override { return structure_; }
  const CallPathTree& call_tree() const override { return source_->call_tree(); }
  const std::vector<ReportFile>& files() const override { return files_; }
  bool has_row(MetricId metric, CallPathId path) const override { return source_->has_row(metric, path); }
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override {
    source_->read_row(metric, path, row);
  }
  std::span<const double> row_in_memory(MetricId metric, CallPathId path) const override {
    return source_->row_in_memory(metric, path);
  }
  const std::vector<std::string>& damage() const override { return source_->damage(); }

 private:
  void redact_regions();
  void redact_system();

  std::unique_ptr<CubeSource> source_;
  ReportStructure structure_;
  std::vector<ReportFile> files_;
  bool has_changed_names_ = false;  // of regions
};

}  // namespace tarry
