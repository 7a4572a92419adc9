// device_clock.cpp -- what commands tell of the clock of their queue.
//
// Where the calls take long, the first bound is far off: it is not known when in the call the command was queued. The
// other bound is near the truth, as soon as the host was told of one end without delay.
#include "measure/devices/device_clock.hpp"

#include <algorithm>

namespace tarry::measure {

// Clocks drift, so old bounds widen. A device whose begins and ends are by another clock than the times of queuing
// leaves nothing between the bounds; then the calls count.
std::int64_t ClockOffset::after(const DoneWork& work) {
  constexpr std::int64_t kDrift = 20;        // nanoseconds from one command to the next
  constexpr std::int64_t kTelling = 10'000;  // until the host is told of an end
  const std::int64_t least = work.called - work.queued, returned = work.returned - work.queued;
  const std::int64_t told = work.told ? work.told - work.end : returned;
  const std::int64_t most = told < least ? returned : std::min(told, returned);
  if (least_ != INT64_MIN) least_ -= kDrift;
  if (most_ != INT64_MAX) most_ += kDrift;
  const bool is_apart = least > most_ || most < least_;
  least_ = is_apart ? least : std::max(least_, least);
  most_ = is_apart ? most : std::min(most_, most);
  return std::max(least_ + (most_ - least_) / 2, most_ - kTelling);
}

}  // namespace tarry::measure
