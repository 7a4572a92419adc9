// delay_events.cpp -- single delays: the costs of waits, by the interval in which the one who was waited for was
// slower.
#include "analysis/delay/delay_events.hpp"

#include <algorithm>
#include <tuple>

namespace tarry {

std::uint64_t DelayEventCollector::Key::hash() const {
  const std::uint64_t who = std::uint64_t{thread.value} << 32 | static_cast<std::uint64_t>(metric);
  return mix_bits(who ^ mix_bits(static_cast<std::uint64_t>(begin) ^ mix_bits(static_cast<std::uint64_t>(end))));
}

void DelayEventCollector::add(const DelayInstance& instance, const Rows<PathTime>& excess, const CostByClass& shares) {
  const std::uint32_t largest = largest_excess(excess, instance);
  if (largest == instance.excess_end || instance.delay <= 0) return;
  const auto delay = static_cast<double>(instance.delay), of_path = static_cast<double>(excess[largest].time);
  book(instance, {excess[largest].path, instance.share * delay, of_path / delay}, shares, delay);
}

void DelayEventCollector::add_operation(const DelayInstance& instance, PathIndex path, double wait,
                                        const CostByClass& long_term) {
  book(instance, {path, wait, 1}, long_term, 1);
}

void DelayEventCollector::book(const DelayInstance& instance, const Charge& charge, const CostByClass& shares,
                               double factor) {
  const Ticks end = point_at(context_.sync, instance.cause).enter;
  Key key{instance.cause.thread, cost_of(instance.kind).short_term, std::min(begin_of_delay(context_, instance), end),
          end};
  book(key, charge.path, charge.short_term, charge.short_term * charge.of_path, 1);
  for (std::size_t k = 0; k < costs_.kinds().size(); ++k) {
    key.metric = cost_of(costs_.kinds()[k]).long_term;
    const double cost = shares[k] * factor;
    book(key, charge.path, cost, cost * charge.of_path, 0);
  }
}

void DelayEventCollector::book(const Key& key, PathIndex path, double cost, double of_path, std::uint32_t waits) {
  if (cost <= 0) return;
  Place& place = places_.insert(key, {events_.size()});
  if (place.event == events_.size())
    events_.push_back({.metric = key.metric, .rank = rank_, .thread = key.thread, .begin = key.begin, .end = key.end});
  DelayEvent& event = events_[place.event];
  event.cost += cost;
  event.waits += waits;
  if (of_path <= place.largest) return;
  place.largest = of_path;
  event.path = path;
}

DelayEvents DelayEventCollector::take() {
  std::ranges::sort(events_, {}, [](const DelayEvent& event) {
    return std::tuple(event.begin, event.end, event.thread, report_position(event.metric));
  });
  return std::move(events_);
}

}  // namespace tarry
