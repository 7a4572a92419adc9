// row_bins.hpp -- how the time of one row divides into bins: by class of activity, waiting, on the critical path.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/timeline/run_timeline.hpp"

namespace tarry {

/// Bins of equal width, in ticks.
struct BinScale {
  Ticks begin = 0;
  Ticks width = 1;
  std::uint32_t bins = 1;

  Ticks end() const { return begin + width * bins; }

  /// Calls visit(bin, ticks) for each bin that [first, last) has a part in.
  template <class Visit>
  void divide(Ticks first, Ticks last, Visit visit) const {
    first = std::max(first, begin);
    last = std::min(last, end());
    while (first < last) {
      const auto bin = static_cast<std::uint32_t>((first - begin) / width);
      const Ticks next = std::min(last, begin + width * (bin + 1));
      visit(bin, next - first);
      first = next;
    }
  }
};

/// Adds up one row.
class RowBins {
 public:
  RowBins(const BinScale& scale, std::size_t classes)
      : scale_(scale), classes_(classes), times_(scale.bins * classes), waits_(scale.bins), critical_(scale.bins) {}

  /// Most of these follow one another in the same bin, which costs no division.
  void add(std::uint8_t of_class, Ticks begin, Ticks end) {
    if (begin < latest_begin_ || end > latest_end_) {
      scale_.divide(begin, end, [&](std::uint32_t bin, Ticks ticks) {
        times_[bin * classes_ + of_class] += ticks;
        latest_ = bin;
      });
      latest_begin_ = scale_.begin + scale_.width * latest_;
      latest_end_ = latest_begin_ + scale_.width;
    } else if (begin < end) {
      times_[latest_ * classes_ + of_class] += end - begin;
    }
  }
  void add_wait(Ticks begin, Ticks end) {
    scale_.divide(begin, end, [&](std::uint32_t bin, Ticks ticks) { waits_[bin] += ticks; });
  }
  void add_critical(Ticks begin, Ticks end) {
    scale_.divide(begin, end, [&](std::uint32_t bin, Ticks ticks) { critical_[bin] += ticks; });
  }

  /// Writes row `row` of a level, whose bins are as wide as several of these.
  void write(std::size_t row, TimelineBins& level) const;

 private:
  std::uint8_t share(Ticks ticks, std::uint32_t joined) const;

  const BinScale scale_;
  const std::size_t classes_;
  std::vector<Ticks> times_;  // [bin][class]
  std::vector<Ticks> waits_, critical_;
  std::uint32_t latest_ = 0;  // bin, and where it lies; nowhere at first
  Ticks latest_begin_ = 0, latest_end_ = 0;
};

}  // namespace tarry
