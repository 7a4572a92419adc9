// cube_values.hpp -- values of a report as people ask for them: any metric, derived ones too, in either flavour.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/algebra/cube_source.hpp"
#include "report/algebra/cubepl_machine.hpp"
#include "report/algebra/flavour.hpp"
#include "report/algebra/metric_totals.hpp"

namespace tarry {

enum class Flavour : std::uint8_t { kExclusive, kInclusive };

/// Numbers of stored and of derived metrics, inclusive along the metric tree. A value of a tuple type is one number
/// (number_of). Derived metrics are computed from the programs in the report. Programs that do not compile, run too
/// long or depend on themselves give 0 and are named in damage(). Memory: some rows.
class CubeValues {
 public:
  /// `source` must outlive this. Runs the programs that derived metrics have for initialisation.
  explicit CubeValues(const CubeSource& source);

  const CubeSource& source() const { return source_; }

  /// True for metrics that do not apply to this report.
  bool is_void(MetricId metric) const { return is_void_[metric.value]; }

  /// Numbers of all locations. False if they are all neutral; then they are zero, or neutral for a minimum or maximum.
  bool row(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers);

  /// Values over all locations, computed when first asked for.
  const MetricTotals& totals(MetricId metric);

  /// What could not be read or computed so far.
  std::vector<std::string> damage() const;

 private:
  struct Derived {
    CubeplProgram program, init_program;
    std::vector<MetricId> operands;  // [operand of the program]
    bool is_broken = false;
    bool is_active = false;  // being computed: to meet it again is a circle
  };

  const ReportMetric& facts(MetricId metric) const { return source_.structure().metrics[metric.value]; }
  void compile(MetricId metric);
  void run_init_programs();
  void break_metric(MetricId metric, const std::string& why);
  bool compute(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers);
  bool compute_derived(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers);
  void evaluate(MetricId metric, CallPathId path, Flavour flavour, std::vector<double>& numbers);
  std::vector<double> operand_row(const Derived& derived, std::size_t operand, MetricKind kind, CallPathId path,
                                  Flavour flavour);
  double on_other_path(const CubeplOperand& operand, std::uint32_t path, Flavour flavour, std::uint32_t location);
  MetricTotals total_stored(MetricId metric);
  MetricTotals total_prederived(MetricId metric);
  MetricTotals total_postderived(MetricId metric);
  double evaluate_once(MetricId metric, CallPathId path, Flavour flavour, const std::vector<double>& operands);
  bool has_budget();

  const CubeSource& source_;
  FlavourReader reader_;
  CubeplMachine machine_;
  std::vector<std::optional<Derived>> derived_;      // [metric]
  std::vector<std::optional<MetricTotals>> totals_;  // [metric]
  std::vector<bool> is_void_;                        // [metric]
  std::vector<double> stored_;
  std::vector<std::string> damage_;
  std::uint64_t budget_ = 0;  // evaluations that the present question may still take
};

}  // namespace tarry
