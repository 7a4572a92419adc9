// linear_fit.cpp -- least squares of a few columns.
#include "scaling/model/linear_fit.hpp"

#include <cmath>

namespace tarry {
namespace {

// A column of which less than this share is not made of the others tells nothing of its own.
constexpr double kLeastOwnShare = 1e-11;

double product(std::span<const double> left, std::span<const double> right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}

void subtract(std::span<double> from, double factor, std::span<const double> column) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * column[i];
}

}  // namespace

double LinearFit::variance_factor(std::span<const double> row) const {
  // Solves R^T z = row from the first element on.
  std::array<double, kMostColumns> z{};
  double sum = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    double rest = row[i];
    for (std::size_t k = 0; k < i; ++k) rest -= upper[k][i] * z[k];
    z[i] = rest / upper[i][i];
    sum += z[i] * z[i];
  }
  return sum;
}

std::optional<LinearFit> LinearFitter::fit(std::span<const std::span<const double>> columns,
                                           std::span<const double> values) {
  LinearFit fit{.columns = columns.size()};
  if (columns.size() > kMostColumns || columns.size() > values.size()) return std::nullopt;
  rest_.assign(values.begin(), values.end());
  std::array<double, kMostColumns> projected{};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<double>& own = orthogonal_[c];
    own.assign(columns[c].begin(), columns[c].end());
    const double whole = std::sqrt(product(own, own));
    for (std::size_t k = 0; k < c; ++k) {
      fit.upper[k][c] = product(orthogonal_[k], own);
      subtract(own, fit.upper[k][c], orthogonal_[k]);
    }
    const double length = std::sqrt(product(own, own));
    if (!(length > kLeastOwnShare * whole) || !std::isfinite(length)) return std::nullopt;
    fit.upper[c][c] = length;
    for (double& element : own) element /= length;
    projected[c] = product(own, rest_);
    subtract(rest_, projected[c], own);
  }
  for (std::size_t c = columns.size(); c-- > 0;) {
    double sum = projected[c];
    for (std::size_t k = c + 1; k < columns.size(); ++k) sum -= fit.upper[c][k] * fit.coefficients[k];
    fit.coefficients[c] = sum / fit.upper[c][c];
  }
  fit.remainder = product(rest_, rest_);
  if (!std::isfinite(fit.remainder)) return std::nullopt;
  return fit;
}

}  // namespace tarry
