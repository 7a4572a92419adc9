// stored_cube.hpp -- a run of the store as a report.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_source.hpp"
#include "store/database.hpp"

namespace tarry {

/// Trees in memory; values of a metric come when they are first asked for, and stay. What cannot be read is in
/// damage().
class StoredCube : public CubeSource {
 public:
  /// `database` must outlive it.
  static Result<std::unique_ptr<StoredCube>> open(Database& database, std::int64_t run);

  const ReportStructure& structure() const override { return structure_; }
  const CallPathTree& call_tree() const override { return *call_tree_; }
  const std::vector<ReportFile>& files() const override { return files_; }
  bool has_row(MetricId metric, CallPathId path) const override;
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  const std::vector<std::string>& damage() const override { return damage_; }

 private:
  // Where the vector of a call path lies; without one its total is the row.
  struct Place {
    double total = 0;
    bool is_stored = false, has_vector = false;
    std::uint32_t block = 0, start = 0, size = 0;
  };
  struct Rows {
    bool is_loaded = false;
    std::vector<Place> places;  // [call path]
  };

  explicit StoredCube(Database& database, std::int64_t run) : database_(database), run_(run) {}

  Status open_trees();
  Status open_run_facts();
  const Rows& rows_of(MetricId metric) const;
  const std::vector<std::uint8_t>* block(std::uint32_t number) const;
  void note(const std::string& what) const;

  Database& database_;
  std::int64_t run_;
  ReportStructure structure_;
  std::unique_ptr<CallPathTree> call_tree_;
  std::vector<ReportFile> files_;
  std::vector<std::int64_t> metrics_;  // rows in the store
  mutable std::vector<Rows> rows_;
  mutable std::vector<std::vector<std::uint8_t>> blocks_;
  mutable std::vector<bool> has_block_;
  mutable std::vector<std::string> damage_;
};

}  // namespace tarry
