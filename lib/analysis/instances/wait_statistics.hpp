// wait_statistics.hpp -- count, sum, extremes, variance and quantiles of many waiting times in bounded memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/units.hpp"
#include "exchange/exchange.hpp"

namespace tarry {

/// Waiting times of one kind. All results depend on the set of samples only, not on their order or on how they were
/// distributed and merged. Up to kMostExact samples are kept: quantiles are exact. Of more, quantiles come from
/// buckets whose middle is within kSketchError of every sample in it, relative to the sample; everything else stays
/// exact. Memory: at most 8 bytes x kMostExact, and 16 bytes for each of some 30,000 buckets.
class WaitStatistics {
 public:
  static constexpr std::size_t kMostExact = 16384;
  static constexpr double kSketchError = 1.0 / 1024;

  /// A sample, in ticks, positive.
  void add(Ticks wait);
  void merge(const WaitStatistics& other);

  std::uint64_t count() const { return count_; }
  double sum() const { return static_cast<double>(sum_); }
  Ticks minimum() const { return minimum_; }
  Ticks maximum() const { return maximum_; }
  double mean() const;
  /// Of the population: mean of the squares minus square of the mean; 0 for one sample.
  double variance() const;
  /// The value below which a fraction of the samples lies: linear between the two samples nearest to position
  /// fraction * (count - 1) of the sorted ones.
  double quantile(double fraction) const;
  bool is_exact() const { return count_ <= kMostExact; }

  void put(MessageBuffer& buffer) const;
  static WaitStatistics get(MessageBuffer& buffer);

 private:
  using Wide = unsigned __int128;

  static std::uint32_t bucket_of(Ticks wait);
  static double middle_of(std::uint32_t bucket);
  void keep(Ticks wait);
  std::vector<double> at_positions(std::uint64_t low, std::uint64_t high) const;

  std::uint64_t count_ = 0;
  Wide sum_ = 0;
  Ticks minimum_ = 0;
  Ticks maximum_ = 0;
  Wide squares_ = 0;
  std::vector<Ticks> samples_;                     // while there are at most kMostExact
  FlatMap<std::uint32_t, std::uint64_t> buckets_;  // counts, from then on
};

}  // namespace tarry
