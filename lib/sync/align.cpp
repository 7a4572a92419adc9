// align.cpp -- a first, smooth correction: the offsets of clocks to each other, as messages of the trace show them.
//
//   distance of two clocks
//      |  ----            ------      no more than this: the shortest way back
//      |      ----   ----
//      |   ________.........____      the distance that is taken: as a string that is pulled tight
//      |  ----  ------     -----
//      |_________________________     no less than this: the shortest way there
//          stretches of the run
#include "sync/align.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/processes/worker_pool.hpp"
#include "sync/clock_pairs.hpp"
#include "sync/in_parts.hpp"
#include "sync/share_curves.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostStretches = 64;
constexpr std::size_t kJunctionsPerStretch = 16;  // of each clock, on average
constexpr std::uint32_t kMostSlots = 32;
constexpr double kUnbounded = 1e18;

// What the conditions between two clocks allow, stretch by stretch: how much later the second one has to be set.
struct Corridor {
  ClockId first, second;
  std::vector<double> least, most;

  double mean_width() const {
    double sum = 0;
    for (std::size_t k = 0; k < least.size(); ++k) sum += std::clamp(most[k] - least[k], 0.0, kUnbounded);
    return sum / static_cast<double>(least.size());
  }
};

// The smoothest way through the corridor that stays near zero: where neither limit speaks against it, nothing is
// changed.
std::vector<double> pull_tight(const Corridor& corridor) {
  constexpr int kRounds = 4000;
  const std::size_t count = corridor.least.size();
  const auto limited = [&](std::size_t k, double value) {
    const double least = corridor.least[k], most = corridor.most[k];
    return least > most ? (least + most) / 2 : std::clamp(value, least, most);
  };
  std::vector<double> way(count);
  for (std::size_t k = 0; k < count; ++k) way[k] = limited(k, 0);
  for (int round = 0; round < kRounds && count > 1; ++round)
    for (std::size_t k = 0; k < count; ++k) {
      const double before = way[k > 0 ? k - 1 : 1], after = way[k + 1 < count ? k + 1 : count - 2];
      way[k] = limited(k, (before + after) / 2);
    }
  return way;
}

// The run, cut into pieces of equal length; none if there are no conditions.
struct Stretches {
  Ticks begin = std::numeric_limits<Ticks>::max(), end = std::numeric_limits<Ticks>::min();
  std::size_t count = 1;

  void operator+=(const Stretches& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
  std::size_t of(Ticks time) const {
    const double part = static_cast<double>(time - begin) / static_cast<double>(std::max<Ticks>(1, end - begin));
    return std::min(count - 1, static_cast<std::size_t>(part * static_cast<double>(count)));
  }
  Ticks middle(std::size_t stretch) const {
    const double part = (static_cast<double>(stretch) + 0.5) / static_cast<double>(count);
    return begin + static_cast<Ticks>(part * static_cast<double>(end - begin));
  }
};

Stretches find_stretches(const CrossEdges& edges, std::uint32_t clocks, Exchange& exchange, unsigned workers) {
  const Stretches here = sum_in_parts(workers, edges.slots.size(), Stretches(), [&](Stretches& run, std::size_t s) {
    for (const Ticks time : {edges.slots[s].cause, edges.slots[s].effect})
      if (time != kNoTime) run += {time, time};
  });
  Stretches all;
  for (const Stretches& run : exchange.share_value(here)) all += run;
  std::size_t junctions = 0;
  for (const std::size_t there : exchange.share_value(edges.junctions.size())) junctions += there;
  const std::size_t wanted = 2 * junctions / (kJunctionsPerStretch * std::max(1u, clocks));
  all.count = junctions == 0 ? 0 : std::clamp<std::size_t>(wanted, 1, kMostStretches);
  return all;
}

// The corridors that the conditions leave, in whatever order these come.
class Corridors {
 public:
  Corridors(const CrossEdges& edges, const Stretches& stretches) : edges_(&edges), stretches_(&stretches) {}

  const std::vector<Corridor>& all() const { return all_; }

  void limit_by(const Junction& junction) {
    const std::span<const ClockSlot> slots = edges_->slots_of(junction);
    const std::size_t reach = slots.size() <= kMostSlots ? slots.size() : 2;
    for (std::size_t i = 0; i < slots.size(); ++i)
      for (std::size_t j = i + 1; j < std::min(slots.size(), i + reach); ++j) {
        limit(slots[i], slots[j]);
        limit(slots[j], slots[i]);
      }
  }

  void operator+=(const Corridors& others) {
    for (const Corridor& other : others.all_) narrow(other);
  }

  // Process 0 has the corridors of all then; the others have none.
  void gather(Exchange& exchange) {
    MessageBuffer buffer;
    if (exchange.rank() != 0)
      for (const Corridor& corridor : std::exchange(all_, {})) {
        buffer.put(corridor.first);
        buffer.put(corridor.second);
        buffer.put_all(corridor.least);
        buffer.put_all(corridor.most);
      }
    for (MessageBuffer& arrived : exchange.gather(std::move(buffer)))
      while (!arrived.is_read()) narrow(unpacked(arrived));
  }

 private:
  static Corridor unpacked(MessageBuffer& buffer) {
    Corridor corridor;
    corridor.first = buffer.get<ClockId>();
    corridor.second = buffer.get<ClockId>();
    corridor.least = buffer.get_all<double>();
    corridor.most = buffer.get_all<double>();
    return corridor;
  }

  void narrow(const Corridor& by) {
    Corridor& own = between(by.first, by.second);
    for (std::size_t k = 0; k < own.least.size(); ++k) {
      own.least[k] = std::max(own.least[k], by.least[k]);
      own.most[k] = std::min(own.most[k], by.most[k]);
    }
  }

  Corridor& between(ClockId first, ClockId second) {
    const PairIndex number = pairs_.number_of(first, second);
    if (!all_.has(number)) {
      const std::size_t count = stretches_->count;
      all_.push_back({first, second, std::vector<double>(count, -kUnbounded), std::vector<double>(count, kUnbounded)});
    }
    return all_[number];
  }

  void limit(const ClockSlot& from, const ClockSlot& to) {
    if (from.cause == kNoTime || to.effect == kNoTime) return;
    const std::size_t k = stretches_->of(to.effect);
    const double missing = static_cast<double>(from.cause + edges_->latency - to.effect);
    if (from.clock < to.clock) {
      double& least = between(from.clock, to.clock).least[k];
      least = std::max(least, missing);
    } else {
      double& most = between(to.clock, from.clock).most[k];
      most = std::min(most, -missing);
    }
  }

  const CrossEdges* edges_;
  const Stretches* stretches_;
  Indexed<PairIndex, std::vector<Corridor>> all_;
  ClockPairs pairs_;  // their places in all_
};

Corridors find_corridors(const CrossEdges& edges, const Stretches& stretches, Exchange& exchange, unsigned workers) {
  Corridors corridors = sum_in_parts(workers, edges.junctions.size(), Corridors(edges, stretches),
                                     [&](Corridors& sum, std::size_t j) { sum.limit_by(edges.junctions[j]); });
  if (exchange.size() > 1) corridors.gather(exchange);
  return corridors;
}

// Makes the curves of all corridors.
class Aligner {
 public:
  Aligner(const std::vector<Corridor>& corridors, const Stretches& stretches, std::uint32_t clocks)
      : clocks_(clocks), stretches_(stretches), corridors_(corridors) {}

  std::vector<ShiftCurve> run() {
    std::vector<ShiftCurve> curves(clocks_);
    const std::vector<std::vector<double>> shifts = shifts_of_clocks();
    for (std::uint32_t clock = 0; clock < clocks_; ++clock) curves[clock] = curve_of(shifts[clock]);
    return curves;
  }

 private:
  // From clock to clock, over the narrowest corridors first. Clocks that nothing connects to the first stay.
  std::vector<std::vector<double>> shifts_of_clocks() const {
    std::vector<std::uint32_t> order(corridors_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<double> width;
    for (const Corridor& corridor : corridors_) width.push_back(corridor.mean_width());
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(width[a], corridors_[a].first, corridors_[a].second) <
             std::tie(width[b], corridors_[b].first, corridors_[b].second);
    });
    return walk_tree(narrowest_tree(order));
  }

  // Corridors of each clock in the spanning tree that has the narrowest ones.
  std::vector<std::vector<std::uint32_t>> narrowest_tree(const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint32_t> root(clocks_);
    for (std::uint32_t clock = 0; clock < clocks_; ++clock) root[clock] = clock;
    const auto find_root = [&](std::uint32_t clock) {
      while (root[clock] != clock) clock = root[clock] = root[root[clock]];
      return clock;
    };
    std::vector<std::vector<std::uint32_t>> tree(clocks_);
    for (const std::uint32_t i : order) {
      const std::uint32_t first = corridors_[i].first.value, second = corridors_[i].second.value;
      const std::uint32_t a = find_root(first), b = find_root(second);
      if (a == b) continue;
      root[a] = b;
      tree[first].push_back(i);
      tree[second].push_back(i);
    }
    return tree;
  }

  std::vector<std::vector<double>> walk_tree(const std::vector<std::vector<std::uint32_t>>& tree) const {
    std::vector<std::vector<double>> shifts(clocks_);
    for (std::uint32_t start = 0; start < clocks_; ++start) {
      if (!shifts[start].empty()) continue;
      shifts[start].assign(stretches_.count, 0);
      std::vector<std::uint32_t> reached{start};
      for (std::size_t next = 0; next < reached.size(); ++next)
        for (const std::uint32_t i : tree[reached[next]]) {
          const Corridor& corridor = corridors_[i];
          const bool is_forward = corridor.first.value == reached[next];
          const std::uint32_t other = (is_forward ? corridor.second : corridor.first).value;
          if (!shifts[other].empty()) continue;
          shifts[other] = shifts[reached[next]];
          const std::vector<double> way = pull_tight(corridor);
          for (std::size_t k = 0; k < stretches_.count; ++k) shifts[other][k] += is_forward ? way[k] : -way[k];
          reached.push_back(other);
        }
    }
    return shifts;
  }

  ShiftCurve curve_of(const std::vector<double>& shifts) const {
    std::vector<ShiftCurve::Knot> knots;
    for (std::size_t k = 0; k < stretches_.count; ++k) knots.push_back({stretches_.middle(k), std::llround(shifts[k])});
    if (std::all_of(knots.begin(), knots.end(), [](const auto& knot) { return knot.shift == 0; })) knots.clear();
    return ShiftCurve(knots);
  }

  const std::uint32_t clocks_;
  const Stretches& stretches_;
  const std::vector<Corridor>& corridors_;
};

// The first time that `curve` moves to `moved` or later.
Ticks first_moved_to(const ShiftCurve& curve, Ticks moved) {
  Ticks reach = 1;
  for (const ShiftCurve::Knot& knot : curve.knots()) reach = std::max(reach, std::abs(knot.shift) + 1);
  Ticks before = moved - reach, after = moved + reach;  // curve(before) < moved <= curve(after)
  while (after - before > 1) {
    const Ticks middle = before + (after - before) / 2;
    (curve.apply(middle) < moved ? before : after) = middle;
  }
  return after;
}

}  // namespace

std::vector<ShiftCurve> align_clocks(const CrossEdges& edges, std::uint32_t clocks, Exchange& exchange,
                                     unsigned workers) {
  const Stretches stretches = find_stretches(edges, clocks, exchange, workers);
  if (stretches.count == 0) return std::vector<ShiftCurve>(clocks);
  const Corridors corridors = find_corridors(edges, stretches, exchange, workers);
  std::vector<ShiftCurve> curves;
  if (exchange.rank() == 0) curves = Aligner(corridors.all(), stretches, clocks).run();
  return share_curves(std::move(curves), exchange);
}

void apply_curves(CrossEdges& edges, const std::vector<ShiftCurve>& curves, unsigned workers) {
  constexpr std::size_t kSlotsPerJob = 1u << 16;
  run_parallel(workers, (edges.slots.size() + kSlotsPerJob - 1) / kSlotsPerJob, [&](std::size_t job) {
    std::vector<ShiftCursor> causes(curves.begin(), curves.end()), effects(curves.begin(), curves.end());
    const std::size_t end = std::min(edges.slots.size(), (job + 1) * kSlotsPerJob);
    for (std::size_t s = job * kSlotsPerJob; s < end; ++s) {
      ClockSlot& slot = edges.slots[s];
      if (slot.cause != kNoTime) slot.cause = causes[slot.clock.value].apply(slot.cause);
      if (slot.effect != kNoTime) slot.effect = effects[slot.clock.value].apply(slot.effect);
    }
  });
}

ShiftCurve compose(const ShiftCurve& first, const ShiftCurve& second) {
  if (first.is_identity()) return second;
  if (second.is_identity()) return first;
  std::vector<Ticks> times;
  for (const ShiftCurve::Knot& knot : first.knots()) times.push_back(knot.at);
  for (const ShiftCurve::Knot& knot : second.knots()) {
    const Ticks at = first_moved_to(first, knot.at);  // a jump lies between this tick and the one before
    times.push_back(at - 1);
    times.push_back(at);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::vector<ShiftCurve::Knot> knots;
  for (const Ticks time : times) knots.push_back({time, second.apply(first.apply(time)) - time});
  return ShiftCurve(knots);
}

}  // namespace tarry
