// cross_edges.cpp -- the clock conditions between different clocks, as the logical clock works on them.
#include "sync/cross_edges.hpp"

#include <algorithm>
#include <map>

#include "sync/clock_pairs.hpp"
#include "sync/in_parts.hpp"

namespace tarry {
namespace {

class EdgeBuilder {
 public:
  EdgeBuilder(const Clocks& clocks, MemoryBudget* budget)
      : clocks_(clocks), slot_of_(clocks.count, kNoSlot), edges_(budget) {}

  void add_message(const ClockPoint& cause, const ClockPoint& effect) {
    const ClockId from = clocks_.of(cause.location), to = clocks_.of(effect.location);
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
    std::map<ClockId, ClockPoint> latest;
    std::size_t next = 0;
    for (const ClockPoint& effect : effects) {
      for (; next < causes.size() && causes[next].order <= effect.order; ++next) {
        const ClockPoint& cause = causes[next];
        ClockPoint& known = latest.emplace(clocks_.of(cause.location), cause).first->second;
        if (cause.time > known.time) known = cause;
      }
      std::vector<ClockPoint> others;
      for (const auto& [clock, cause] : latest)
        if (clock != clocks_.of(effect.location)) others.push_back(cause);
      add_group(others, {&effect, 1});
    }
  }

  CrossEdges take() { return std::move(edges_); }

 private:
  ClockSlot& slot_of(const ClockPoint& point) {
    const ClockId clock = clocks_.of(point.location);
    if (slot_of_[clock] == kNoSlot) {
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
      edges_.junctions.push_back({.first_slot = edges_.slots.size(),
                                  .slots = static_cast<std::uint32_t>(draft_.size()),
                                  .unknown_causes = causes});
      edges_.slots.append(draft_);
    }
    for (const ClockSlot& slot : draft_) slot_of_[slot.clock] = kNoSlot;
    draft_.clear();
  }

  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  const Clocks& clocks_;
  Indexed<ClockId, std::vector<std::uint32_t>> slot_of_;  // in draft_
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
    const std::span<const ClockSlot> slots = edges.slots_of(junction);
    for (const ClockSlot& from : slots)
      for (const ClockSlot& to : slots)
        if (from.clock != to.clock && from.cause != kNoTime && to.effect != kNoTime)
          shorten(from.clock, to.clock, to.effect - from.cause);
  }

  void operator+=(const ShortestWays& others) {
    others.pairs_.for_each(
        [&](ClockId from, ClockId to, PairIndex number) { shorten(from, to, others.ticks_[number]); });
  }

  // Of what all processes know, the ways between some pairs of clocks, in both directions. Collective.
  ShortestWays dealt(Exchange& exchange) const {
    std::vector<MessageBuffer> buffers(static_cast<std::size_t>(exchange.size()));
    pairs_.for_each([&](ClockId from, ClockId to, PairIndex number) {
      const std::size_t host = mix_bits(std::min(from, to).value ^ mix_bits(std::max(from, to).value)) % buffers.size();
      buffers[host].put(Way{from, to, ticks_[number]});
    });
    ShortestWays some;
    for (MessageBuffer& buffer : exchange.all_to_all(std::move(buffers)))
      while (!buffer.is_read()) {
        const Way way = buffer.get<Way>();
        some.shorten(way.from, way.to, way.ticks);
      }
    return some;
  }

  // kFar if no two clocks have ways to each other in both directions.
  Ticks half_way_and_back() const {
    Ticks least = kFar;
    pairs_.for_each([&](ClockId from, ClockId to, PairIndex there) {
      if (const PairIndex* back = pairs_.find(to, from)) least = std::min(least, (ticks_[there] + ticks_[*back]) / 2);
    });
    return least;
  }

 private:
  struct Way {
    ClockId from, to;
    Ticks ticks;
  };

  void shorten(ClockId from, ClockId to, Ticks ticks) {
    const PairIndex number = pairs_.number_of(from, to);
    if (!ticks_.has(number)) ticks_.push_back(kFar);
    ticks_[number] = std::min(ticks_[number], ticks);
  }

  ClockPairs pairs_;
  Indexed<PairIndex, std::vector<Ticks>> ticks_;
};

}  // namespace

CrossEdges find_cross_edges(Trace& trace, const Conditions& conditions, const Clocks& clocks) {
  EdgeBuilder builder(clocks, trace.budget());
  for (const RankIndex r : trace.ranks().ids())
    if (trace.is_hosted(r))
      for_each_message(trace, r,
                       [&](const ClockPoint& cause, const ClockPoint& effect) { builder.add_message(cause, effect); });
  for (const ConditionGroup& group : conditions.groups) {
    const auto causes = conditions.causes(group), effects = conditions.effects(group);
    group.is_scan ? builder.add_scan(causes, effects) : builder.add_group(causes, effects);
  }
  return builder.take();
}

Ticks estimate_latency(const CrossEdges& edges, double ticks_per_second, Exchange& exchange, unsigned workers) {
  constexpr double kUsualSeconds = 1e-6, kMostSeconds = 10e-6;
  ShortestWays ways = sum_in_parts(workers, edges.junctions.size(), ShortestWays(),
                                   [&](ShortestWays& sum, std::size_t j) { sum.add(edges, edges.junctions[j]); });
  if (exchange.size() > 1) ways = ways.dealt(exchange);
  Ticks least = kFar;
  for (const Ticks part : exchange.share_value(ways.half_way_and_back())) least = std::min(least, part);
  if (least == kFar) least = static_cast<Ticks>(kUsualSeconds * ticks_per_second);
  least = std::min(least, static_cast<Ticks>(kMostSeconds * ticks_per_second));
  return std::max(kLeastLatency, least);
}

}  // namespace tarry
