// cross_edges.cpp -- the clock conditions between different clocks, as the logical clock works on them.
#include "cross_edges.hpp"

#include <algorithm>
#include <map>

#include "base/flat_map.hpp"

namespace tarry {
namespace {

class EdgeBuilder {
 public:
  explicit EdgeBuilder(const Clocks& clocks) : clocks_(clocks), slot_of_(clocks.count, kNone32) {}

  /// At most so many: room that is not used costs nothing.
  void expect(std::size_t junctions, std::size_t slots) {
    edges_.junctions.reserve(junctions);
    edges_.slots.reserve(slots);
  }

  void add_message(const ClockPoint& cause, const ClockPoint& effect) {
    const std::uint32_t from = clocks_.of_location[cause.location], to = clocks_.of_location[effect.location];
    if (from == to) return;
    edges_.junctions.push_back({.first_slot = edges_.slots.size(), .slots = 2, .unknown_causes = 1});
    edges_.slots.push_back({.cause = cause.time, .clock = from});
    edges_.slots.push_back({.effect = effect.time, .clock = to});
  }

  void add_group(std::span<const ClockPoint> causes, std::span<const ClockPoint> effects) {
    for (const ClockPoint& cause : causes) {
      ClockSlot& slot = slot_of(cause);
      slot.cause = std::max(slot.cause, cause.time);
    }
    for (const ClockPoint& effect : effects) {
      ClockSlot& slot = slot_of(effect);
      if (slot.effect == kNoTime || effect.time < slot.effect) slot.effect = effect.time;
    }
    finish();
  }

  // Each rank has a condition of its own: the causes up to it.
  void add_scan(std::span<const ClockPoint> causes, std::span<const ClockPoint> effects) {
    std::map<std::uint32_t, ClockPoint> latest;  // by clock
    std::size_t next = 0;
    for (const ClockPoint& effect : effects) {
      for (; next < causes.size() && causes[next].order <= effect.order; ++next) {
        const ClockPoint& cause = causes[next];
        ClockPoint& known = latest.emplace(clocks_.of_location[cause.location], cause).first->second;
        if (cause.time > known.time) known = cause;
      }
      std::vector<ClockPoint> others;
      for (const auto& [clock, cause] : latest)
        if (clock != clocks_.of_location[effect.location]) others.push_back(cause);
      add_group(others, {&effect, 1});
    }
  }

  CrossEdges take() { return std::move(edges_); }

 private:
  ClockSlot& slot_of(const ClockPoint& point) {
    const std::uint32_t clock = clocks_.of_location[point.location];
    if (slot_of_[clock] == kNone32) {
      slot_of_[clock] = static_cast<std::uint32_t>(draft_.size());
      draft_.push_back({.clock = clock});
    }
    return draft_[slot_of_[clock]];
  }

  void finish() {
    const auto has_cause = [](const ClockSlot& slot) { return slot.cause != kNoTime; };
    const auto has_effect = [](const ClockSlot& slot) { return slot.effect != kNoTime; };
    const auto causes = static_cast<std::uint32_t>(std::count_if(draft_.begin(), draft_.end(), has_cause));
    if (draft_.size() > 1 && causes > 0 && std::any_of(draft_.begin(), draft_.end(), has_effect)) {
      edges_.junctions.push_back(
          {.first_slot = edges_.slots.size(), .slots = static_cast<std::uint32_t>(draft_.size()), .unknown_causes = causes});
      edges_.slots.insert(edges_.slots.end(), draft_.begin(), draft_.end());
    }
    for (const ClockSlot& slot : draft_) slot_of_[slot.clock] = kNone32;
    draft_.clear();
  }

  const Clocks& clocks_;
  std::vector<std::uint32_t> slot_of_;  // in draft_, by clock
  std::vector<ClockSlot> draft_;
  CrossEdges edges_;
};

void gather(CrossEdges& edges, Exchange& exchange) {
  if (exchange.size() == 1) return;
  Parcel parcel;
  parcel.put_all(edges.junctions);
  parcel.put_all(edges.slots);
  std::vector<Parcel> arrived = exchange.gather(std::move(parcel));
  edges = {};
  for (Parcel& from : arrived) {
    std::vector<Junction> junctions = from.get_all<Junction>();
    const std::vector<ClockSlot> slots = from.get_all<ClockSlot>();
    for (Junction& junction : junctions) junction.first_slot += edges.slots.size();
    edges.junctions.insert(edges.junctions.end(), junctions.begin(), junctions.end());
    edges.slots.insert(edges.slots.end(), slots.begin(), slots.end());
  }
}

}  // namespace

CrossEdges find_cross_edges(World& world, const Conditions& conditions, const Clocks& clocks) {
  EdgeBuilder builder(clocks);
  std::size_t messages = 0;
  for (std::uint32_t r = 0; r < world.ranks().size(); ++r)
    if (world.is_hosted(r)) messages += world.ranks()[r].receives.size();
  builder.expect(messages + conditions.groups.size(), 2 * messages + conditions.points.size());
  for (std::uint32_t r = 0; r < world.ranks().size(); ++r)
    if (world.is_hosted(r))
      for_each_message(world, r, [&](const ClockPoint& cause, const ClockPoint& effect) { builder.add_message(cause, effect); });
  for (const ConditionGroup& group : conditions.groups) {
    const auto causes = conditions.causes(group), effects = conditions.effects(group);
    group.is_scan ? builder.add_scan(causes, effects) : builder.add_group(causes, effects);
  }
  CrossEdges edges = builder.take();
  gather(edges, world.exchange());
  edges.latency = estimate_latency(edges, world.definitions().clock.ticks_per_second);
  return edges;
}

Ticks estimate_latency(const CrossEdges& edges, double ticks_per_second) {
  constexpr std::uint32_t kMostSlots = 32;
  constexpr double kUsualSeconds = 1e-6, kMostSeconds = 10e-6;
  constexpr Ticks kFar = std::numeric_limits<Ticks>::max() / 2;
  FlatMap<std::uint64_t, Ticks> shortest;  // by pair of clocks, from the first to the second
  const auto key = [](std::uint32_t from, std::uint32_t to) { return (std::uint64_t{from} << 32) | to; };
  std::uint64_t pair = ~std::uint64_t{0};  // of the messages that are looked at: many follow each other
  Ticks least_of_pair = kFar;
  const auto look_at = [&](std::uint64_t next) {
    if (next == pair) return;
    if (pair != ~std::uint64_t{0}) {
      Ticks& known = shortest.insert(pair, kFar);
      known = std::min(known, least_of_pair);
    }
    pair = next;
    least_of_pair = kFar;
  };
  for (const Junction& junction : edges.junctions) {
    if (junction.slots > kMostSlots) continue;
    const std::span<const ClockSlot> slots(&edges.slots[junction.first_slot], junction.slots);
    for (const ClockSlot& from : slots)
      for (const ClockSlot& to : slots)
        if (from.clock != to.clock && from.cause != kNoTime && to.effect != kNoTime) {
          look_at(key(from.clock, to.clock));
          least_of_pair = std::min(least_of_pair, to.effect - from.cause);
        }
  }
  look_at(~std::uint64_t{0});
  Ticks least = kFar;
  shortest.for_each([&](std::uint64_t pair, Ticks there) {
    if (const Ticks* back = shortest.find((pair << 32) | (pair >> 32))) least = std::min(least, (there + *back) / 2);
  });
  if (least == kFar) least = static_cast<Ticks>(kUsualSeconds * ticks_per_second);
  least = std::min(least, static_cast<Ticks>(kMostSeconds * ticks_per_second));
  return std::max(kLeastLatency, least);
}

}  // namespace tarry
