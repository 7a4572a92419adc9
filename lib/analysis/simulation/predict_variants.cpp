// predict_variants.cpp -- how long a program takes without some of the changes that its plan knows, many at a time.
#include "analysis/simulation/predict_variants.hpp"

#include <algorithm>

#include "analysis/simulation/simulate.hpp"
#include "analysis/simulation/variant_times.hpp"

namespace tarry {
namespace {

// Of `count` variants from `first` on.
CutStrengths<Variants> strengths_of(const std::vector<Variant>& variants, std::size_t first, std::size_t count) {
  std::size_t changes = 0;
  for (const Variant& variant : variants) changes = std::max<std::size_t>(changes, variant.change.value + 1);
  CutStrengths<Variants> strengths(changes, Variants(0));
  for (std::size_t i = 0; i < count; ++i) strengths[variants[first + i].change].set(i, variants[first + i].strength);
  return strengths;
}

}  // namespace

std::vector<double> predict_variants(Plan& plan, const std::vector<Variant>& variants, bool is_whole) {
  std::vector<double> seconds;
  VariantTimes times(plan, is_whole);
  for (std::size_t first = 0; first < variants.size(); first += Variants::kCount) {
    const std::size_t count = std::min(Variants::kCount, variants.size() - first);
    times.start(strengths_of(variants, first, count));
    simulate(plan, times);
    for (std::size_t i = 0; i < count; ++i) seconds.push_back(plan.trace.seconds(1) * times.spans()[i]);
  }
  return seconds;
}

}  // namespace tarry
