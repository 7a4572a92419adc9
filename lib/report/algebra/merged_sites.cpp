// merged_sites.cpp -- a report in which the calls of a function from several lines of another are one call path.
#include "report/algebra/merged_sites.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/algebra/algebra.hpp"
#include "report/tree/unify_reports.hpp"

namespace tarry {
namespace {

// The combination together with the report that it is made of.
class MergedSites : public CubeSource {
 public:
  MergedSites(std::unique_ptr<CubeSource> report, MappedReports mapped)
      : report_(std::move(report)), cube_({report_.get()}, std::move(mapped), Combination::kMerge) {
    cube_.keep_files(report_->files());
  }

  const ReportStructure& structure() const override { return cube_.structure(); }
  const CallPathTree& call_tree() const override { return cube_.call_tree(); }
  const std::vector<ReportFile>& files() const override { return cube_.files(); }
  bool has_row(MetricId metric, CallPathId path) const override { return cube_.has_row(metric, path); }
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override {
    cube_.read_row(metric, path, row);
  }
  const std::vector<std::string>& damage() const override { return cube_.damage(); }

 private:
  std::unique_ptr<CubeSource> report_;
  CombinedCube cube_;
};

bool is_to_forget(const ReportCallPath& path, CallSites sites) {
  return !path.module.empty() && (sites == CallSites::kAll || path.line <= 0);
}

}  // namespace

Result<std::optional<MappedReports>> merge_call_sites(const ReportStructure& report, CallSites sites) {
  const auto is_concerned = [sites](const ReportCallPath& path) { return is_to_forget(path, sites); };
  if (std::none_of(report.call_paths.begin(), report.call_paths.end(), is_concerned))
    return std::optional<MappedReports>();
  ReportStructure structure = report;
  for (ReportCallPath& path : structure.call_paths) {
    if (!is_concerned(path)) continue;
    path.line = -1;
    path.module.clear();
  }
  const ReportStructure* const reports[] = {&structure};
  const std::string names[] = {"report"};
  TARRY_TRY_ASSIGN(mapped, unify_reports(reports, names, {}));
  return std::optional(std::move(mapped));
}

Result<std::unique_ptr<CubeSource>> without_call_sites(std::unique_ptr<CubeSource> report, CallSites sites) {
  TARRY_TRY_ASSIGN(mapped, merge_call_sites(report->structure(), sites));
  if (!mapped) return report;
  return std::unique_ptr<CubeSource>(std::make_unique<MergedSites>(std::move(report), std::move(*mapped)));
}

}  // namespace tarry
