// cross_edges.cpp -- the clock conditions between different clocks, as the logical clock works on them.
#include "cross_edges.hpp"

#include <algorithm>
#include <map>

#include "clock_pairs.hpp"
#include "in_parts.hpp"

namespace tarry {
namespace {

class EdgeBuilder {
 public:
  explicit EdgeBuilder(const Clocks& clocks) : clocks_(clocks), slot_of_(clocks.count, kNone32) {}

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
      edges_.slots.append(draft_);
    }
    for (const ClockSlot& slot : draft_) slot_of_[slot.clock] = kNone32;
    draft_.clear();
  }

  const Clocks& clocks_;
  std::vector<std::uint32_t> slot_of_;  // in draft_, by clock
  std::vector<ClockSlot> draft_;
  CrossEdges edges_;
};

constexpr Ticks kFar = std::numeric_limits<Ticks>::max() / 2;

// The shortest way from each clock to each other one.
class ShortestWays {
 public:
  void add(const CrossEdges& edges, const Junction& junction) {
    constexpr std::uint32_t kMostSlots = 32;
    if (junction.slots > kMostSlots) return;
    const std::span<const ClockSlot> slots(&edges.slots[junction.first_slot], junction.slots);
    for (const ClockSlot& from : slots)
      for (const ClockSlot& to : slots)
        if (from.clock != to.clock && from.cause != kNoTime && to.effect != kNoTime) {
          Ticks& known = between(from.clock, to.clock);
          known = std::min(known, to.effect - from.cause);
        }
  }

  void operator+=(const ShortestWays& others) {
    others.pairs_.for_each([&](std::uint32_t from, std::uint32_t to, std::uint32_t number) {
      Ticks& known = between(from, to);
      known = std::min(known, others.ticks_[number]);
    });
  }

  // kFar if no two clocks have ways to each other in both directions.
  Ticks half_way_and_back() const {
    Ticks least = kFar;
    pairs_.for_each([&](std::uint32_t from, std::uint32_t to, std::uint32_t there) {
      if (const std::uint32_t* back = pairs_.find(to, from))
        least = std::min(least, (ticks_[there] + ticks_[*back]) / 2);
    });
    return least;
  }

 private:
  Ticks& between(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t number = pairs_.number_of(from, to);
    if (number == ticks_.size()) ticks_.push_back(kFar);
    return ticks_[number];
  }

  ClockPairs pairs_;  // their places in ticks_
  std::vector<Ticks> ticks_;
};

void gather(CrossEdges& edges, Exchange& exchange) {
  if (exchange.size() == 1) return;
  Parcel parcel;
  parcel.put_all(edges.junctions);
  parcel.put_all(edges.slots);
  std::vector<Parcel> arrived = exchange.gather(std::move(parcel));
  edges = {};
  for (Parcel& from : arrived) {
    Rows<Junction> junctions = from.get_rows<Junction>();
    const Rows<ClockSlot> slots = from.get_rows<ClockSlot>();
    for (Junction& junction : junctions) junction.first_slot += edges.slots.size();
    edges.junctions.append(junctions);
    edges.slots.append(slots);
  }
}

}  // namespace

CrossEdges find_cross_edges(World& world, const Conditions& conditions, const Clocks& clocks) {
  EdgeBuilder builder(clocks);
  for (std::uint32_t r = 0; r < world.ranks().size(); ++r)
    if (world.is_hosted(r))
      for_each_message(world, r, [&](const ClockPoint& cause, const ClockPoint& effect) { builder.add_message(cause, effect); });
  for (const ConditionGroup& group : conditions.groups) {
    const auto causes = conditions.causes(group), effects = conditions.effects(group);
    group.is_scan ? builder.add_scan(causes, effects) : builder.add_group(causes, effects);
  }
  CrossEdges edges = builder.take();
  gather(edges, world.exchange());
  edges.latency = estimate_latency(edges, world.definitions().clock.ticks_per_second, world.workers());
  return edges;
}

Ticks estimate_latency(const CrossEdges& edges, double ticks_per_second, unsigned workers) {
  constexpr double kUsualSeconds = 1e-6, kMostSeconds = 10e-6;
  const ShortestWays all = sum_in_parts(workers, edges.junctions.size(), ShortestWays(),
                                        [&](ShortestWays& ways, std::size_t j) { ways.add(edges, edges.junctions[j]); });
  Ticks least = all.half_way_and_back();
  if (least == kFar) least = static_cast<Ticks>(kUsualSeconds * ticks_per_second);
  least = std::min(least, static_cast<Ticks>(kMostSeconds * ticks_per_second));
  return std::max(kLeastLatency, least);
}

}  // namespace tarry
