// predict_variants.cpp -- how long a program takes without some of the changes that its plan knows, many at a time.
#include "prediction/simulation/predict_variants.hpp"

#include <algorithm>

#include "prediction/simulation/simulate.hpp"
#include "prediction/simulation/variant_times.hpp"
#include "base/processes/worker_pool.hpp"

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
  std::vector<double> seconds(variants.size());
  const std::size_t passes = (variants.size() + Variants::kCount - 1) / Variants::kCount;
  const std::size_t workers = std::min<std::size_t>(plan.trace.workers(), passes);
  // Each worker has times of its own, for one pass after another.
  run_parallel(plan.trace.workers(), workers, [&](std::size_t worker) {
    VariantTimes times(plan, is_whole);
    for (std::size_t pass = worker; pass < passes; pass += workers) {
      const std::size_t first = pass * Variants::kCount;
      const std::size_t count = std::min(Variants::kCount, variants.size() - first);
      times.start(strengths_of(variants, first, count));
      simulate(plan, times);
      for (std::size_t i = 0; i < count; ++i) seconds[first + i] = plan.trace.seconds(1) * times.spans()[i];
    }
  });
  return seconds;
}

}  // namespace tarry
