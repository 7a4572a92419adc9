// growth.hpp -- how a term of a scaling model grows with one parameter: p^i log2(p)^j.
#pragma once

#include <span>
#include <string>

namespace tarry {

/// A power as people write it: 2/3, 1, -1/2.
struct Exponent {
  int numerator = 0;
  int denominator = 1;

  double value() const { return static_cast<double>(numerator) / denominator; }
  std::string text() const;
  bool operator==(const Exponent&) const = default;
};

/// p^power log2(p)^log, a factor of a term in the performance model normal form.
struct Growth {
  Exponent power;
  int log = 0;

  bool is_constant() const { return power.numerator == 0 && log == 0; }
  bool falls() const { return power.numerator < 0; }
  double at(double parameter) const;

  /// Slope of its logarithm over the logarithm of the parameter, between `parameter` and four times as much.
  double slope_beyond(double parameter) const;

  /// "p^(2/3) log2(p)^2"; empty if constant.
  std::string text(const std::string& parameter) const;
  bool operator==(const Growth&) const = default;
};

/// True if `left` is smaller than `right` from some value of the parameter on.
bool grows_slower(const Growth& left, const Growth& right);

/// The 42 growths of the reference, in the order in which it tries them.
std::span<const Growth> reference_growths();

/// These, and those that fall.
std::span<const Growth> all_growths();

}  // namespace tarry
