// row_block.hpp -- rows of a summary that are gathered at once, found by call path and metric.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "summary/node_values.hpp"

namespace tarry {

/// A program may have 100,000 call paths with ten rows each. So all values are in one piece of memory.
class RowBlock {
 public:
  using Place = std::pair<std::uint32_t, SummaryMetric>;  // a call path; a metric there

  RowBlock() = default;
  /// `places` may name one several times; values are zero.
  RowBlock(const std::vector<Place>& places, std::size_t path_count, std::size_t row_size)
      : places_(by_path(places, path_count)), first_(starts_of(places_, path_count)), row_size_(row_size) {
    values_.resize(places_.size() * row_size_);
  }

  const std::vector<Place>& places() const { return places_; }
  bool has_rows(std::uint32_t path) const { return first_[path] < first_[path + 1]; }

  /// Of places()[number].
  std::span<double> row(std::size_t number) { return {values_.data() + number * row_size_, row_size_}; }

  /// Empty if the block does not have it. A call path has few rows.
  std::span<double> find(std::uint32_t path, SummaryMetric metric) {
    if (path + std::size_t{1} >= first_.size()) return {};  // no call path has been gathered yet
    for (std::size_t number = first_[path]; number < first_[path + 1]; ++number)
      if (places_[number].second == metric) return row(number);
    return {};
  }

 private:
  // [call path] its first place; the next one's is behind its last.
  static std::vector<std::size_t> starts_of(const std::vector<Place>& places, std::size_t path_count) {
    std::vector<std::size_t> starts(path_count + 1);
    for (const Place& place : places) ++starts[place.first + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    return starts;
  }

  // Sorted and without doubles. There are millions of places, and few on each call path.
  static std::vector<Place> by_path(const std::vector<Place>& places, std::size_t path_count) {
    std::vector<std::size_t> next = starts_of(places, path_count);
    std::vector<Place> sorted(places.size());
    for (const Place& place : places) sorted[next[place.first]++] = place;
    for (std::size_t path = 0, begin = 0; path < path_count; begin = next[path++])
      std::sort(sorted.begin() + begin, sorted.begin() + next[path]);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }

  std::vector<Place> places_;       // sorted
  std::vector<std::size_t> first_;  // as starts_of()
  std::vector<double> values_;
  std::size_t row_size_ = 0;
};

}  // namespace tarry
