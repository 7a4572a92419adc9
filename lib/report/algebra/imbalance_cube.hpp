// imbalance_cube.hpp -- computational imbalance, computed from a summary.
#pragma once

#include <cstdint>
#include <vector>

#include "report/algebra/cube_over.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/algebra/imbalance.hpp"
#include "report/tree/parallel_paths.hpp"

namespace tarry {

/// The metrics `imbalance` and those below it, of `source`, which has no values of them. They are computed when read
/// from `comp` and `visits`, exclusive along the call tree. Memory: some rows.
class ImbalanceCube : public CubeOver {
 public:
  explicit ImbalanceCube(const CubeSource& source);

  bool has_row(MetricId metric, CallPathId path) const override;
  void read_row(MetricId metric, CallPathId path, std::span<double> row) const override;
  const std::vector<std::string>& damage() const override;

 private:
  using Part = double Imbalance::*;

  Part part_of(MetricId metric) const { return parts_[metric.value]; }
  bool read_times(CallPathId path) const;

  std::vector<Part> parts_;  // by metric; nullptr: none of these
  MetricId computation_, blocked_, visits_;
  std::vector<PathTeam> teams_;  // by call path
  ThreadBalance balance_;        // of the locations
  mutable CubeValues values_;
  mutable std::vector<double> times_, blocked_times_, visited_;  // by location
  mutable std::vector<std::string> damage_;
};

}  // namespace tarry
