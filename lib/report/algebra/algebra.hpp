// algebra.hpp -- reports computed from reports, row by row.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_source.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/report_map.hpp"

namespace tarry {

/// What happens to the values of several reports for one metric, call path and location. A value is absent if the
/// report lacks the metric, the call path or the location. A row that is not stored is zero, not absent.
enum class Combination : std::uint8_t {
  kMerge,       // the last report that has the value
  kDifference,  // first - second - ...; absent is zero. Unsigned types become signed ones
  kMean,        // sum / number of reports; absent is zero. Integer types drop the fraction of each share
  kExactMean,   // the same; integer types become DOUBLE
  kMinimum,     // of the exclusive values that are there
  kMaximum,
};

/// Rows of a combination, computed when read from those of the inputs, so that memory does not grow with the reports.
/// Minimum and maximum metrics combine by minimum and maximum whatever the combination; their difference is one where
/// both reports have a value.
class CombinedCube : public CubeSource {
 public:
  /// `inputs` belong to `mapped.maps`, one by one; they must outlive the result.
  CombinedCube(std::vector<const CubeSource*> inputs, MappedReports mapped, Combination combination);

  const ReportStructure& structure() const override { return structure_; }
  const CallPathTree& call_tree() const override { return *call_tree_; }
  const std::vector<ReportFile>& files() const override { return files_; }
  bool has_row(MetricId metric, CallPathId path) const override;
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  const std::vector<std::string>& damage() const override;

  /// Passes extra files on.
  void keep_files(std::vector<ReportFile> files) { files_ = std::move(files); }

 private:
  struct Input {
    ReportMap map;
    mutable FlavourReader reader;
    bool has_same_columns = false;           // locations are those of the result, in the same order
    std::vector<std::uint8_t> has_location;  // [location of the result]
  };

  bool gather(const Input& input, MetricId metric, CallPathId path, std::span<double> row) const;
  void read_own(const Input& input, MetricId own, CallPathId path, bool is_inclusive, std::span<double> row) const;
  void scatter(const Input& input, ValueFormat format, std::span<const double> from, std::span<double> into) const;
  void combine(const Input& input, ValueFormat format, std::size_t order, std::span<const double> from,
               std::span<double> into) const;

  ReportStructure structure_;
  std::unique_ptr<CallPathTree> call_tree_;
  std::vector<Input> inputs_;
  Combination combination_;
  std::vector<ReportFile> files_;
  mutable std::vector<double> gathered_;
  mutable std::vector<std::uint8_t> is_set_;  // [location] that the row being computed has a value already
  mutable std::vector<std::string> damage_;
};

// Parts of one report, to be given to CombinedCube with kMerge.

/// The call paths of the regions called `names` become roots, with what is below them; nested ones stay where they are.
/// Without such a region nothing is left.
MappedReports cut_to_roots(const ReportStructure& report, const std::vector<std::string>& names);

/// Leaves out the call paths of the regions called `names` and all below them. Their values are added to their parents.
/// Roots stay.
MappedReports prune_regions(const ReportStructure& report, const std::vector<std::string>& names);

/// Only the locations for which `is_kept[location]`, and processes and nodes that hold one.
MappedReports keep_locations(const ReportStructure& report, const std::vector<bool>& is_kept);

}  // namespace tarry
