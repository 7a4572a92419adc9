// amortize.cpp -- spreads each jump of the logical clock over the time before it.
//
//   shift                  |......              shift                 .|......
//                          |                                       .   |            o: a cause, and how far it may
//                          |                                    .  o   |               move before it passes its effect
//   _______________________|                    ____________.          |
//           forward pass: a jump                      and its ramp
//
// The ramp is the lower convex hull of its two ends and of the room that each cause in between has. Jumps are taken
// from the last to the first, so that ramps that overlap become one.
#include "sync/amortize.hpp"

#include <algorithm>
#include <cmath>

#include "base/processes/worker_pool.hpp"
#include "base/arrays/sort_runs.hpp"

namespace tarry {
namespace {

constexpr Ticks kNever = std::numeric_limits<Ticks>::max() / 2;
constexpr std::size_t kJunctionsPerRound = 1u << 16;

// How far a cause may move.
struct Room {
  Ticks at = 0;  // measured time
  Ticks ticks = 0;
};

using Knot = ShiftCurve::Knot;

// The effects of a junction, or of a part of it: when the first one is.
struct FirstEffect {
  Ticks first = kNever;
  Ticks first_of_others = kNever;  // on other clocks
  ClockId clock;

  void add(ClockId other_clock, Ticks other_first, Ticks other_first_of_others) {
    if (other_first < first) {
      first_of_others = std::min(first, other_first_of_others);
      first = other_first;
      clock = other_clock;
    } else {
      first_of_others = std::min(first_of_others, other_first);
    }
  }
  Ticks first_for(ClockId cause) const { return cause == clock ? first_of_others : first; }
};

// The rooms of all causes of each clock, in order of time.
class RoomFinder {
 public:
  RoomFinder(const CrossEdges& edges, const ClockBlock& block, Exchange& exchange)
      : edges_(edges), block_(block), exchange_(exchange), elsewhere_(edges.links.budget()) {
    for (std::size_t i = 0; i < block.count; ++i) rooms_.emplace_back(edges.slots.budget());
  }

  std::vector<Rows<Room>> run(unsigned workers) {
    share_first_effects();
    for (const Junction& junction : edges_.junctions) add_rooms(junction);
    run_parallel(workers, rooms_.size(), [&](std::size_t clock) {
      sort_runs(rooms_[clock],
                [](const Room& a, const Room& b) { return a.at != b.at ? a.at < b.at : a.ticks < b.ticks; });
    });
    return std::move(rooms_);
  }

 private:
  // What a part of a junction tells another one.
  struct EffectNews {
    std::uint64_t junction = 0;
    FirstEffect effect;
  };

  // In rounds, so that what travels stays small.
  void share_first_effects() {
    if (exchange_.size() == 1) return;
    elsewhere_.resize(edges_.links.size());
    std::size_t next = 0;
    do {
      std::vector<MessageBuffer> buffers(static_cast<std::size_t>(exchange_.size()));
      const std::size_t end = std::min(edges_.junctions.size(), next + kJunctionsPerRound);
      for (; next < end; ++next) tell(edges_.junctions[next], buffers);
      for (MessageBuffer& buffer : exchange_.all_to_all(std::move(buffers)))
        while (!buffer.is_read()) learn(buffer.get<EffectNews>());
    } while (!exchange_.all_of(next == edges_.junctions.size()));
  }

  void tell(const Junction& junction, std::vector<MessageBuffer>& buffers) const {
    if (!junction.links.is_valid()) return;
    const FirstEffect effect = first_here(junction);
    if (!effect.clock.is_valid()) return;
    edges_.for_each_link(junction, [&](const JunctionLink& link) {
      if (link.has_causes) buffers[link.process].put(EffectNews{link.junction, effect});
    });
  }

  void learn(const EffectNews& news) {
    elsewhere_[edges_.junctions[news.junction].links].add(news.effect.clock, news.effect.first,
                                                          news.effect.first_of_others);
  }

  FirstEffect first_here(const Junction& junction) const {
    FirstEffect effect;
    for (const ClockSlot& slot : edges_.slots_of(junction))
      if (slot.effect != kNoTime) effect.add(slot.clock, slot.logical_effect(), kNever);
    return effect;
  }

  void add_rooms(const Junction& junction) {
    FirstEffect effect = first_here(junction);
    if (junction.links.is_valid()) {
      const FirstEffect& other = elsewhere_[junction.links];
      effect.add(other.clock, other.first, other.first_of_others);
    }
    for (const ClockSlot& slot : edges_.slots_of(junction)) {
      if (slot.cause == kNoTime) continue;
      const Ticks room = effect.first_for(slot.clock) - edges_.latency - slot.logical_cause();
      rooms_[block_.index_of(slot.clock)].push_back({slot.cause, std::max<Ticks>(0, room)});
    }
  }

  const CrossEdges& edges_;
  const ClockBlock block_;
  Exchange& exchange_;
  std::vector<Rows<Room>> rooms_;                    // of each clock of the block
  Indexed<LinkIndex, Rows<FirstEffect>> elsewhere_;  // of the other parts of a junction, at its first link
};

// Linear between two knots.
double between(const Knot& left, const Knot& right, Ticks at) {
  const double part = static_cast<double>(at - left.at) / static_cast<double>(right.at - left.at);
  return static_cast<double>(left.shift) + part * static_cast<double>(right.shift - left.shift);
}

// Knots of the hull from `first` to `last`, both of them in it.
std::vector<Knot> lower_hull(const Knot& first, std::span<const Room> rooms, const Knot& last) {
  std::vector<Knot> hull{first};
  const auto add = [&hull](const Knot& knot) {
    while (hull.size() > 1 &&
           between(hull[hull.size() - 2], knot, hull.back().at) <= static_cast<double>(hull.back().shift))
      hull.pop_back();
    hull.push_back(knot);
  };
  for (const Room& room : rooms)
    if (room.at > hull.back().at && room.at < last.at) add({room.at, room.ticks});
  add(last);
  return hull;
}

class ClockRamps {
 public:
  ClockRamps(const std::vector<ClockPiece>& pieces, const Rows<Room>& rooms, const ClockControl& control)
      : pieces_(pieces), rooms_(rooms), control_(control) {}

  ShiftCurve curve() {
    if (pieces_.empty()) return {};
    add_tail();
    Knot ramp{pieces_.back().at, 0};  // what ramps of later jumps add at this jump
    for (std::size_t i = pieces_.size(); i-- > 0;) ramp.shift = add_ramp(i, ramp.shift);
    std::reverse(knots_.begin(), knots_.end());
    return ShiftCurve(knots_);
  }

 private:
  Ticks forward_shift(std::size_t piece, Ticks time) const { return shift_at(pieces_[piece], time, control_.gamma); }
  // Before the jump of `piece`.
  Ticks shift_before(std::size_t piece, Ticks time) const { return piece == 0 ? 0 : forward_shift(piece - 1, time); }

  // When the shift of a piece has melted away.
  Ticks melted(std::size_t piece) const {
    const double span = static_cast<double>(pieces_[piece].shift) / (1 - control_.gamma);
    return pieces_[piece].at + static_cast<Ticks>(std::ceil(span));
  }

  void add_tail() { knots_.push_back({melted(pieces_.size() - 1), 0}); }

  // Adds the knots from the jump of piece `i` back to the one before, latest first. `later` is what the ramps of later
  // jumps add at this one; returns what this ramp adds at the jump before.
  Ticks add_ramp(std::size_t i, Ticks later) {
    const Ticks at = pieces_[i].at;
    knots_.push_back({at, pieces_[i].shift + later});
    const Ticks height = pieces_[i].shift + later - shift_before(i, at - 1);
    const auto first_room =
        std::lower_bound(rooms_.begin(), rooms_.end(), at, [](const Room& room, Ticks time) { return room.at < time; });
    const Ticks begin = at - 1 - static_cast<Ticks>(std::ceil(static_cast<double>(height) / control_.ramp));
    const auto last_room = std::lower_bound(rooms_.begin(), first_room, begin,
                                            [](const Room& room, Ticks time) { return room.at < time; });
    Knot end{at - 1, height};
    for (auto room = first_room; room != last_room && (room - 1)->at == at - 1; --room)
      end.shift = std::min(end.shift, (room - 1)->ticks);
    const std::vector<Knot> hull = lower_hull({begin, 0}, {last_room, first_room}, end);
    return add_hull(i, hull);
  }

  // The part of the hull that lies behind the jump before.
  Ticks add_hull(std::size_t i, const std::vector<Knot>& hull) {
    const Ticks stop = i == 0 ? std::numeric_limits<Ticks>::min() : pieces_[i - 1].at;
    const Ticks end_of_melting = i == 0 ? stop : melted(i - 1);
    for (std::size_t k = hull.size(); k-- > 0;) {
      if (hull[k].at <= stop)
        return k + 1 == hull.size() ? hull[k].shift
                                    : static_cast<Ticks>(std::floor(between(hull[k], hull[k + 1], stop)));
      knots_.push_back({hull[k].at, shift_before(i, hull[k].at) + hull[k].shift});
      // Where the shift of the piece before ends, the sum bends.
      const bool bends = k > 0 && end_of_melting > std::max(hull[k - 1].at, stop) && end_of_melting < hull[k].at;
      if (bends)
        knots_.push_back(
            {end_of_melting, static_cast<Ticks>(std::floor(between(hull[k - 1], hull[k], end_of_melting)))});
    }
    if (end_of_melting > stop && end_of_melting < hull[0].at) knots_.push_back({end_of_melting, 0});
    return 0;
  }

  const std::vector<ClockPiece>& pieces_;
  const Rows<Room>& rooms_;
  const ClockControl& control_;
  std::vector<Knot> knots_;  // latest first
};

}  // namespace

std::vector<ShiftCurve> amortize(const CrossEdges& edges, const ClockBlock& block, const LogicalTimes& times,
                                 const ClockControl& control, Exchange& exchange, unsigned workers) {
  const std::vector<Rows<Room>> rooms = RoomFinder(edges, block, exchange).run(workers);
  std::vector<ShiftCurve> curves(block.count);
  run_parallel(workers, curves.size(),
               [&](std::size_t i) { curves[i] = ClockRamps(times.pieces[i], rooms[i], control).curve(); });
  return curves;
}

}  // namespace tarry
