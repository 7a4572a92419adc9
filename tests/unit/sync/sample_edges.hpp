// sample_edges.hpp -- clock conditions for tests, and all steps from them to corrections on any number of processes.
#pragma once

#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "tests/unit/exchange/thread_group.hpp"
#include "sync/align.hpp"
#include "sync/amortize.hpp"
#include "sync/deal_edges.hpp"
#include "sync/share_curves.hpp"

namespace tarry {

inline constexpr Ticks kSecond = 1'000'000'000;

inline Ticks at(double seconds) { return std::llround(seconds * kSecond); }

/// From, sent, to, received.
using SampleMessage = std::tuple<std::uint32_t, double, std::uint32_t, double>;

inline void add_junction(CrossEdges& edges, const std::vector<ClockSlot>& slots) {
  std::uint32_t causes = 0;
  for (const ClockSlot& slot : slots) causes += slot.cause != kNoTime;
  edges.junctions.push_back(
      {.first_slot = edges.slots.size(), .slots = static_cast<std::uint32_t>(slots.size()), .unknown_causes = causes});
  edges.slots.append(slots);
}

inline CrossEdges messages(const std::vector<SampleMessage>& all, double latency = 1e-6) {
  CrossEdges edges;
  edges.latency = at(latency);
  for (const auto& [from, sent, to, received] : all)
    add_junction(edges, {{.cause = at(sent), .clock = ClockId(from)}, {.effect = at(received), .clock = ClockId(to)}});
  return edges;
}

/// The junctions for which is_wanted(number) holds, as no process has advanced any clock.
template <class IsWanted>
CrossEdges part_of(const CrossEdges& edges, IsWanted is_wanted) {
  CrossEdges part;
  part.latency = edges.latency;
  for (std::size_t j = 0; j < edges.junctions.size(); ++j) {
    if (!is_wanted(j)) continue;
    const auto slots = edges.slots_of(edges.junctions[j]);
    add_junction(part, {slots.begin(), slots.end()});
  }
  return part;
}

inline CrossEdges copy_of(const CrossEdges& edges) {
  return part_of(edges, [](std::size_t) { return true; });
}

/// Forward pass and amortisation of measured edges on `processes` processes, each of which found some of the junctions.
struct ClockRun {
  std::vector<ShiftCurve> curves;
  std::uint64_t ignored = 0;

  ClockRun(const CrossEdges& measured, std::uint32_t clocks, ClockControl control = {}, int processes = 1) {
    const ClockBlocks blocks(std::vector<double>(clocks, 1), processes);
    ThreadGroup::run(processes, [&](Exchange& exchange) {
      const auto rank = static_cast<std::size_t>(exchange.rank()), size = static_cast<std::size_t>(processes);
      CrossEdges found = part_of(measured, [&](std::size_t j) { return j * 7 % 11 % size == rank; });
      CrossEdges edges = deal_edges(std::move(found), blocks, exchange);
      const ClockBlock& own = blocks.of(exchange.rank());
      const LogicalTimes times = run_logical_clock(edges, own, control.gamma, exchange);
      std::vector<ShiftCurve> all = share_curves(amortize(edges, own, times, control, exchange, 1), exchange);
      if (rank != 0) return;
      curves = std::move(all);
      ignored = times.ignored;
    });
  }
  double time(std::uint32_t clock, double seconds) const {
    return static_cast<double>(curves[clock].apply(at(seconds))) / kSecond;
  }
};

inline std::uint64_t violations(const CrossEdges& edges, const std::vector<ShiftCurve>& curves) {
  std::uint64_t count = 0;
  for (const Junction& junction : edges.junctions)
    for (const ClockSlot& cause : edges.slots_of(junction))
      for (const ClockSlot& effect : edges.slots_of(junction)) {
        if (&cause == &effect || cause.cause == kNoTime || effect.effect == kNoTime) continue;
        count += curves[cause.clock.value].apply(cause.cause) > curves[effect.clock.value].apply(effect.effect);
      }
  return count;
}

/// Messages of a ring of clocks that lie apart by up to 10 ms, with a varying drift.
inline CrossEdges random_ring(unsigned seed, std::uint32_t clocks) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  std::vector<double> offset(clocks), wave(clocks), time(clocks, 0);
  for (std::uint32_t c = 0; c < clocks; ++c) {
    offset[c] = 0.02 * part(random) - 0.01;
    wave[c] = 1e-3 * part(random);
  }
  const auto local = [&](std::uint32_t c, double true_time) {
    return 1 + true_time + offset[c] + wave[c] * std::sin(true_time);
  };
  std::vector<SampleMessage> all;
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t from = random() % clocks, to = (from + 1 + random() % (clocks - 1)) % clocks;
    const double sent = time[from] += 1e-3 * part(random);
    const double received = time[to] = std::max(time[to], sent + 5e-6) + 1e-4 * part(random);
    all.emplace_back(from, local(from, sent), to, local(to, received));
  }
  return messages(all);
}

/// Messages and operations of several clocks at any times. Many events have the same tick. Many depend on each other in
/// circles, as in a damaged trace.
inline CrossEdges random_tangle(unsigned seed, std::uint32_t clocks) {
  std::mt19937 random(seed);
  const auto any_time = [&] { return static_cast<Ticks>(random() % 200); };
  CrossEdges edges;
  edges.latency = kLeastLatency;
  for (int i = 0; i < 60; ++i) {
    std::vector<ClockSlot> slots;
    for (std::uint32_t c = 0; c < clocks; ++c) {
      ClockSlot slot{.clock = ClockId(c)};
      if (random() % 3 == 0) slot.cause = any_time();
      if (random() % 3 == 0) slot.effect = std::max(slot.cause, any_time());
      if (slot.cause != kNoTime || slot.effect != kNoTime) slots.push_back(slot);
    }
    const auto has = [&](Ticks ClockSlot::*time) {
      return std::any_of(slots.begin(), slots.end(), [&](const ClockSlot& slot) { return slot.*time != kNoTime; });
    };
    if (slots.size() > 1 && has(&ClockSlot::cause) && has(&ClockSlot::effect)) add_junction(edges, slots);
  }
  return edges;
}

}  // namespace tarry
