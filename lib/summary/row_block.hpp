// row_block.hpp -- rows of a summary that are gathered at once, found by call path and metric.
#pragma once

#include <algorithm>
#include <cstdint>
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
  RowBlock(std::vector<Place> places, std::size_t path_count, std::size_t row_size)
      : places_(std::move(places)), first_(path_count + 1), row_size_(row_size) {
    std::ranges::sort(places_);
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    for (const Place& place : places_) ++first_[place.first + 1];
    for (std::size_t path = 0; path < path_count; ++path) first_[path + 1] += first_[path];
    values_.resize(places_.size() * row_size_);
  }

  const std::vector<Place>& places() const { return places_; }
  bool has_rows(std::uint32_t path) const { return first_[path] < first_[path + 1]; }

  /// Of places()[number].
  std::span<double> row(std::size_t number) { return {values_.data() + number * row_size_, row_size_}; }

  /// Empty if the block does not have it. A call path has few rows.
  std::span<double> find(std::uint32_t path, SummaryMetric metric) {
    for (std::size_t number = first_[path]; number < first_[path + 1]; ++number)
      if (places_[number].second == metric) return row(number);
    return {};
  }

 private:
  std::vector<Place> places_;       // sorted
  std::vector<std::size_t> first_;  // [call path] its first place; the next one's is behind its last
  std::vector<double> values_;
  std::size_t row_size_ = 0;
};

}  // namespace tarry
