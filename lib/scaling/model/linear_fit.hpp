// linear_fit.hpp -- least squares of a few columns.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tarry {

/// The constant and the terms of the largest model that is tried.
inline constexpr std::size_t kMostColumns = 6;

/// values = sum of coefficient x column, and what remains.
struct LinearFit {
  std::size_t columns = 0;
  std::array<double, kMostColumns> coefficients{};
  double remainder = 0;  // sum of squares

  /// `row` (X^T X)^-1 `row`^T: times the variance of a value, the variance of the fitted value at this row.
  double variance_factor(std::span<const double> row) const;

  std::array<std::array<double, kMostColumns>, kMostColumns> upper{};  // R of the columns = Q R
};

/// Keeps its memory between fits.
class LinearFitter {
 public:
  /// Modified Gram-Schmidt with the values as the last column, which is as stable as Householder's method [Bjorck
  /// 1967]. Nothing if the values do not determine the coefficients, or a number is not finite.
  std::optional<LinearFit> fit(std::span<const std::span<const double>> columns, std::span<const double> values);

 private:
  std::array<std::vector<double>, kMostColumns> orthogonal_;
  std::vector<double> rest_;
};

}  // namespace tarry
