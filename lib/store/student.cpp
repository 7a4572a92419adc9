// student.cpp -- Student's and Fisher's distributions, by the continued fraction of the incomplete beta function.
//
// Source: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.5.8, 26.6.2, 26.7.1; W. Lentz's evaluation.
#include "store/student.hpp"

#include <cmath>

namespace tarry {
namespace {

double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= c * d;
    if (std::abs(c * d - 1) < kEnough) break;
  }
  return fraction;
}

// The regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_two_sided(double t, double freedom) {
  if (std::isinf(t)) return 0;
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_limit(double chance, double freedom) {
  double least = 0, most = 1;
  while (student_two_sided(most, freedom) > 2 * chance && most < 1e100) most *= 2;
  for (int step = 0; step < 200 && most - least > 1e-12 * most; ++step) {
    const double middle = (least + most) / 2;
    (student_two_sided(middle, freedom) > 2 * chance ? least : most) = middle;
  }
  return most;
}

double fisher_upper(double ratio, double freedom_above, double freedom_below) {
  if (std::isinf(ratio)) return 0;
  const double rest = freedom_below / (freedom_below + freedom_above * ratio);
  return incomplete_beta(freedom_below / 2, freedom_above / 2, rest);
}

}  // namespace tarry
