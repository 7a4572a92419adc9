// scaling_model.hpp -- a model in the performance model normal form, and how well it fits.
//
// Source: Calotoiu, Hoefler, Poke, Wolf, "Using Automated Performance Modeling to Find Scalability Bugs in Complex
// Codes", SC 2013; several parameters: Calotoiu et al., "Fast Multi-Parameter Performance Modeling", Cluster 2016.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scaling/model/growth.hpp"
#include "scaling/model/measured_points.hpp"

namespace tarry {

/// coefficient x product of growths.
struct ModelTerm {
  double coefficient = 0;
  std::vector<Growth> growths;  // [parameter]; constant if the parameter is no factor

  double factor_at(std::span<const double> parameters) const;
};

/// Errors of a model. `adjusted_r2` is 1 for a constant, as the reference has it.
struct ModelFigures {
  double rss = 0;
  double smape = 0;  // percent, 0 to 200
  double adjusted_r2 = 1;
};

/// constant + sum of terms.
struct ScalingModel {
  double constant = 0;
  std::vector<ModelTerm> terms;
  ModelFigures figures;

  double at(std::span<const double> parameters) const;
  bool is_constant() const { return terms.empty(); }
  /// The fastest growth along a parameter; constant if no term has it.
  Growth leading(std::size_t parameter) const;
  /// "3 + 0.5 p log2(p)", coefficients with four significant digits.
  std::string text(const std::vector<std::string>& parameters) const;
};

/// Percent; 0 where both are 0.
double symmetric_error(double predicted, double measured);

/// 1 - (1 - R2) (n - 1) / (n - k - 1), k being the factors of all terms, as the reference counts them. 1 without terms,
/// 0 where n is too small.
double adjusted_r2(double rss, double total, std::size_t points, std::size_t factors);

/// Errors of the model at the means it was fitted to.
ModelFigures figures_of(const ScalingModel& model, const std::vector<MeasuredPoint>& points);

/// Sum of squares of the means around their mean.
double total_squares(std::span<const double> means);

}  // namespace tarry
