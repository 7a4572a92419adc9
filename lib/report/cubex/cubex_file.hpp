// cubex_file.hpp -- an open .cubex file: its trees in memory, its rows read when asked for (docs/CUBEX.md).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_source.hpp"
#include "report/cubex/cubex_tar.hpp"
#include "report/cubex/cubex_values.hpp"

namespace tarry {

/// A report on disk. Understands what we write and what the other tools of the field write: gzip anchors, compressed,
/// sparse and dense rows, both byte orders. Holds the trees, the extra files and a few megabytes of the rows read last.
class CubexFile : public CubeSource {
 public:
  /// Opens a file; "-" is stdin, which goes through a temporary file if it is large. Fails if it is no report or its
  /// trees are unusable; what is wrong with single metrics ends up in damage().
  static Result<std::unique_ptr<CubexFile>> open(const std::string& path);

  /// The same from memory, which must outlive the report; `path` names it in errors.
  static Result<std::unique_ptr<CubexFile>> open(std::span<const std::uint8_t> bytes, const std::string& path);

  const ReportStructure& structure() const override { return structure_; }
  const CallPathTree& call_tree() const override { return *call_tree_; }
  const std::vector<ReportFile>& files() const override { return files_; }
  bool has_row(MetricId metric, CallPathId path) const override;
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  const std::vector<std::string>& damage() const override { return damage_; }

 private:
  /// Values of one metric. The number of a path's row depends on the metric's flavour.
  struct Values {
    StoredRows rows;
    bool is_inclusive = false;
  };

  Status open_bytes(std::span<const std::uint8_t> bytes, const std::string& path);
  Status read_trees(const std::string& path, std::vector<std::string>& stems);
  void open_metric(MetricId metric, const std::string& stem);
  void open_values(MetricId metric, const ValueMembers& members);
  void keep_extra_files();
  void note(MetricId metric, const std::string& what) const;
  std::span<const std::uint8_t> data_of(const TarMember& member) const;
  std::optional<std::uint32_t> find(MetricId metric, CallPathId path) const;

  MappedFile mapped_;
  std::span<const std::uint8_t> bytes_;
  TarDirectory members_;  // those not claimed yet
  ReportStructure structure_;
  std::unique_ptr<CallPathTree> call_tree_;
  std::vector<std::uint32_t> row_numbers_[2];  // [path], of exclusive and of inclusive metrics
  std::vector<Values> values_;                 // [metric]
  std::vector<ReportFile> files_;
  mutable std::vector<std::string> damage_;
  mutable std::vector<bool> is_noted_;  // [metric] that a damaged row was mentioned
  mutable std::vector<std::uint8_t> inflated_;
  mutable std::size_t touched_ = 0;  // bytes of rows since the pages were last given back
};

}  // namespace tarry
