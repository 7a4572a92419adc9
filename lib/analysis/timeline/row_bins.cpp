// row_bins.cpp -- how the time of one row divides into bins.
#include "analysis/timeline/row_bins.hpp"

#include <algorithm>

namespace tarry {

// What is there at all is seen.
std::uint8_t RowBins::share(Ticks ticks, std::uint32_t joined) const {
  if (ticks <= 0) return 0;
  const double part = static_cast<double>(ticks) / static_cast<double>(scale_.width * joined);
  return static_cast<std::uint8_t>(std::clamp(part * 255 + 0.5, 1.0, 255.0));
}

void RowBins::write(std::size_t row, TimelineBins& level) const {
  const std::uint32_t joined = scale_.bins / level.bins;
  std::vector<Ticks> sums(classes_);
  for (std::uint32_t bin = 0; bin < level.bins; ++bin) {
    const Ticks* times = times_.data() + std::size_t{bin} * joined * classes_;
    if (joined > 1) {
      std::fill(sums.begin(), sums.end(), 0);
      for (std::uint32_t part = 0; part < joined; ++part, times += classes_)
        for (std::size_t c = 0; c < classes_; ++c) sums[c] += times[c];
      times = sums.data();
    }
    Ticks wait = 0, critical = 0, most = 0;
    for (std::uint32_t part = bin * joined; part < (bin + 1) * joined; ++part) {
      wait += waits_[part];
      critical += critical_[part];
    }
    const std::size_t at = row * level.bins + bin;
    for (std::size_t c = 0; c < classes_; ++c)
      if (times[c] > most) {
        most = times[c];
        level.classes[at] = static_cast<std::uint8_t>(c);
      }
    level.waits[at] = share(wait, joined);
    level.critical[at] = share(critical, joined);
  }
}

}  // namespace tarry
