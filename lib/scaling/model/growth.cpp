// growth.cpp -- how a term of a scaling model grows with one parameter.
#include "scaling/model/growth.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tarry {
namespace {

// By power and logarithm as the reference orders them: on ties the first one is chosen.
constexpr Growth kReferenceGrowths[] = {
    {{0, 1}, 1}, {{0, 1}, 2}, {{1, 4}, 0}, {{1, 3}, 0}, {{1, 4}, 1},  {{1, 3}, 1}, {{1, 4}, 2},
    {{1, 3}, 2}, {{1, 2}, 0}, {{1, 2}, 1}, {{1, 2}, 2}, {{2, 3}, 0},  {{3, 4}, 0}, {{2, 3}, 1},
    {{3, 4}, 1}, {{4, 5}, 0}, {{2, 3}, 2}, {{3, 4}, 2}, {{1, 1}, 0},  {{1, 1}, 1}, {{1, 1}, 2},
    {{5, 4}, 0}, {{5, 4}, 1}, {{4, 3}, 0}, {{4, 3}, 1}, {{3, 2}, 0},  {{3, 2}, 1}, {{3, 2}, 2},
    {{5, 3}, 0}, {{7, 4}, 0}, {{2, 1}, 0}, {{2, 1}, 1}, {{2, 1}, 2},  {{9, 4}, 0}, {{7, 3}, 0},
    {{5, 2}, 0}, {{5, 2}, 1}, {{5, 2}, 2}, {{8, 3}, 0}, {{11, 4}, 0}, {{3, 1}, 0}, {{3, 1}, 1},
};

// Work that is shared by more processes becomes less for each.
constexpr Growth kFallingGrowths[] = {
    {{-1, 4}, 0}, {{-1, 3}, 0}, {{-1, 2}, 0}, {{-2, 3}, 0}, {{-3, 4}, 0}, {{-1, 1}, 0}, {{-3, 2}, 0}, {{-2, 1}, 0},
};

}  // namespace

std::string Exponent::text() const {
  return denominator == 1 ? std::to_string(numerator) : std::to_string(numerator) + "/" + std::to_string(denominator);
}

double Growth::at(double parameter) const {
  const double power_part = power.numerator == 0 ? 1 : std::pow(parameter, power.value());
  return log == 0 ? power_part : power_part * std::pow(std::log2(parameter), log);
}

double Growth::slope_beyond(double parameter) const {
  if (log == 0) return power.value();
  const double from = std::max(parameter, 2.0);  // log2(1) is 0
  return power.value() + log * std::log2(std::log2(4 * from) / std::log2(from)) / 2;
}

std::string Growth::text(const std::string& parameter) const {
  std::string text;
  if (power.numerator != 0) {
    text = parameter;
    if (power.denominator != 1 || power.numerator < 0) text += "^(" + power.text() + ")";
    else if (power.numerator != 1) text += "^" + power.text();
  }
  if (log == 0) return text;
  if (!text.empty()) text += " ";
  text += "log2(" + parameter + ")";
  return log == 1 ? text : text + "^" + std::to_string(log);
}

bool grows_slower(const Growth& left, const Growth& right) {
  const int difference =
      left.power.numerator * right.power.denominator - right.power.numerator * left.power.denominator;
  return difference != 0 ? difference < 0 : left.log < right.log;
}

std::span<const Growth> reference_growths() { return kReferenceGrowths; }

std::span<const Growth> all_growths() {
  static const std::vector<Growth> kAll = [] {
    std::vector<Growth> all(std::begin(kReferenceGrowths), std::end(kReferenceGrowths));
    all.insert(all.end(), std::begin(kFallingGrowths), std::end(kFallingGrowths));
    return all;
  }();
  return kAll;
}

}  // namespace tarry
