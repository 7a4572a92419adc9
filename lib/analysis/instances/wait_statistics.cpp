// wait_statistics.cpp -- statistics of waiting times that do not depend on the order of the samples.
#include "analysis/instances/wait_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace tarry {
namespace {

// Buckets per power of two; each is 1/512 of its power wide, so its middle is within 1/1024 of what it holds.
constexpr unsigned kBucketBits = 9;

unsigned __int128 add_saturated(unsigned __int128 a, unsigned __int128 b) {
  const unsigned __int128 sum = a + b;
  return sum < a ? ~static_cast<unsigned __int128>(0) : sum;
}

}  // namespace

std::uint32_t WaitStatistics::bucket_of(Ticks wait) {
  const auto value = static_cast<std::uint64_t>(wait);
  const auto width = static_cast<unsigned>(std::bit_width(value));
  if (width <= kBucketBits + 1) return static_cast<std::uint32_t>(value);
  const unsigned shift = width - kBucketBits - 1;
  return (shift << kBucketBits) + static_cast<std::uint32_t>(value >> shift);
}

double WaitStatistics::middle_of(std::uint32_t bucket) {
  if (bucket < (2u << kBucketBits)) return bucket;
  const unsigned shift = (bucket >> kBucketBits) - 1;
  const std::uint64_t first = std::uint64_t{bucket - (shift << kBucketBits)} << shift;
  return static_cast<double>(first) + static_cast<double>((std::uint64_t{1} << shift) - 1) / 2;
}

// Keeps a sample that has been counted.
void WaitStatistics::keep(Ticks wait) {
  if (count_ <= kMostExact) return samples_.push_back(wait);
  for (const Ticks sample : samples_) ++buckets_.insert(bucket_of(sample), 0);
  samples_ = {};
  ++buckets_.insert(bucket_of(wait), 0);
}

void WaitStatistics::add(Ticks wait) {
  minimum_ = count_ ? std::min(minimum_, wait) : wait;
  maximum_ = std::max(maximum_, wait);
  ++count_;
  sum_ += static_cast<Wide>(wait);
  squares_ = add_saturated(squares_, static_cast<Wide>(wait) * static_cast<Wide>(wait));
  keep(wait);
}

void WaitStatistics::merge(const WaitStatistics& other) {
  if (other.count_ == 0) return;
  minimum_ = count_ ? std::min(minimum_, other.minimum_) : other.minimum_;
  maximum_ = std::max(maximum_, other.maximum_);
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ = add_saturated(squares_, other.squares_);
  if (is_exact()) {
    samples_.insert(samples_.end(), other.samples_.begin(), other.samples_.end());
    return;
  }
  for (const std::vector<Ticks>* samples : {&std::as_const(samples_), &other.samples_})
    for (const Ticks sample : *samples) ++buckets_.insert(bucket_of(sample), 0);
  samples_ = {};
  other.buckets_.for_each([&](std::uint32_t bucket, std::uint64_t count) { buckets_.insert(bucket, 0) += count; });
}

double WaitStatistics::mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }

double WaitStatistics::variance() const {
  if (count_ < 2) return 0;
  // n * sum of squares - square of the sum has no rounding as long as it fits; beyond that, doubles will do.
  const auto n = static_cast<double>(count_);
  const bool fits = squares_ < ~static_cast<Wide>(0) / count_ && sum_ < static_cast<Wide>(1) << 63;
  const double difference =
      fits ? static_cast<double>(squares_ * count_ - sum_ * sum_) : static_cast<double>(squares_) * n - sum() * sum();
  return std::max(0.0, difference / n / n);
}

// The samples at two neighbouring positions of the sorted ones.
std::vector<double> WaitStatistics::at_positions(std::uint64_t low, std::uint64_t high) const {
  if (is_exact()) {
    std::vector<Ticks> sorted = samples_;
    std::sort(sorted.begin(), sorted.end());
    return {static_cast<double>(sorted[low]), static_cast<double>(sorted[high])};
  }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> buckets;
  buckets_.for_each([&](std::uint32_t bucket, std::uint64_t count) { buckets.emplace_back(bucket, count); });
  std::sort(buckets.begin(), buckets.end());
  std::vector<double> found;
  std::uint64_t before = 0;
  for (const auto& [bucket, count] : buckets) {
    before += count;
    if (found.empty() && low < before) found.push_back(middle_of(bucket));
    if (high < before) {
      found.push_back(middle_of(bucket));
      break;
    }
  }
  for (double& value : found) value = std::clamp(value, static_cast<double>(minimum_), static_cast<double>(maximum_));
  return found;
}

double WaitStatistics::quantile(double fraction) const {
  if (count_ == 0) return 0;
  const double position = fraction * static_cast<double>(count_ - 1);
  const auto low = static_cast<std::uint64_t>(position);
  const std::uint64_t high = std::min(low + 1, count_ - 1);
  const std::vector<double> values = at_positions(low, high);
  return values[0] + (position - static_cast<double>(low)) * (values[1] - values[0]);
}

void WaitStatistics::put(MessageBuffer& buffer) const {
  buffer.put(count_);
  buffer.put(sum_);
  buffer.put(minimum_);
  buffer.put(maximum_);
  buffer.put(squares_);
  buffer.put_all(samples_);
  buffer.put<std::uint64_t>(buckets_.size());
  buckets_.for_each([&](std::uint32_t bucket, std::uint64_t count) {
    buffer.put(bucket);
    buffer.put(count);
  });
}

WaitStatistics WaitStatistics::get(MessageBuffer& buffer) {
  WaitStatistics all;
  all.count_ = buffer.get<std::uint64_t>();
  all.sum_ = buffer.get<Wide>();
  all.minimum_ = buffer.get<Ticks>();
  all.maximum_ = buffer.get<Ticks>();
  all.squares_ = buffer.get<Wide>();
  all.samples_ = buffer.get_all<Ticks>();
  for (auto left = buffer.get<std::uint64_t>(); left > 0; --left) {
    const auto bucket = buffer.get<std::uint32_t>();
    all.buckets_.insert(bucket) = buffer.get<std::uint64_t>();
  }
  return all;
}

}  // namespace tarry
