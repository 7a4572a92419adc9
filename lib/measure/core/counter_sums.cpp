// counter_sums.cpp -- adds up the values of counters.
#include "measure/core/counter_sums.hpp"

#include <algorithm>

namespace tarry::measure {

void CounterSums::use(std::span<const CounterId> ids, std::span<const bool> levels) {
  ids_.assign(ids.begin(), ids.end());
  is_level_.assign(levels.begin(), levels.end());
  counted_.assign(ids.size(), 0);
}

void CounterSums::count(PathNode* open, std::span<const std::uint64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (open) {
      std::uint64_t& sum = of(*open)[i];
      sum = is_level_[i] ? std::max(sum, values[i]) : sum + values[i] - counted_[i];
    }
    counted_[i] = values[i];
  }
}

void CounterSums::raise(PathNode* open, std::span<const std::uint64_t> values) const {
  if (!open) return;
  const auto sums = of(*open);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_level_[i]) sums[i] = std::max(sums[i], values[i]);
}

void CounterSums::add(PathNode& to, PathNode& from) const {
  const auto into = of(to), more = of(from);
  for (std::size_t i = 0; i < ids_.size(); ++i) into[i] = is_level_[i] ? std::max(into[i], more[i]) : into[i] + more[i];
}

void CounterSums::clear(PathNode& path) const { std::ranges::fill(of(path), 0); }

}  // namespace tarry::measure
