// logical_clock.cpp -- the controlled logical clock: moves events forward until every cause precedes its effects.
//
//   clock A    ----S------------------      S sends at 5.0
//   clock B    --R-----e---f----------      R receives at 4.2 on its clock
//   corrected  -------Re---f----------      R moves to 5.0 + latency; e and f keep their distances, times gamma, until
//                                           the measured times have caught up
//
// Per clock, not per process: what happens on one node stays in order by itself. Source: docs/METRICS.md, "Timestamps".
#include "logical_clock.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/worker_pool.hpp"
#include "sort_runs.hpp"
#include "trace/correction.hpp"

namespace tarry {
namespace {

// A cause or an effect on one clock.
struct ClockNode {
  Ticks time = 0;
  std::uint64_t slot : 63 = 0;
  std::uint64_t is_cause : 1 = 0;
  std::uint64_t junction = 0;
};

class ForwardPass {
 public:
  ForwardPass(CrossEdges& edges, std::uint32_t clocks, double gamma, unsigned workers)
      : edges_(edges), gamma_(gamma), nodes_(clocks), next_(clocks, 0), is_queued_(clocks, true) {
    result_.pieces.resize(clocks);
    collect_nodes(workers);
    for (std::uint32_t clock = 0; clock < clocks; ++clock) queue_.push_back(clock);
  }

  LogicalTimes run() {
    do advance_all();
    while (force_one());
    return std::move(result_);
  }

 private:
  // Events of one tick move together: effects come first.
  void collect_nodes(unsigned workers) {
    for (std::size_t j = 0; j < edges_.junctions.size(); ++j) {
      const Junction& junction = edges_.junctions[j];
      for (std::uint64_t s = junction.first_slot; s < junction.first_slot + junction.slots; ++s) {
        const ClockSlot& slot = edges_.slots[s];
        if (slot.effect != kNoTime) nodes_[slot.clock].push_back({slot.effect, s, 0, j});
        if (slot.cause != kNoTime) nodes_[slot.clock].push_back({slot.cause, s, 1, j});
      }
    }
    run_parallel(workers, nodes_.size(), [this](std::size_t clock) {
      sort_runs(nodes_[clock], [](const ClockNode& a, const ClockNode& b) {
        return a.time != b.time ? a.time < b.time : a.is_cause < b.is_cause;
      });
    });
  }

  void advance_all() {
    while (!queue_.empty()) {
      const std::uint32_t clock = queue_.front();
      queue_.pop_front();
      is_queued_[clock] = false;
      while (next_[clock] < nodes_[clock].size()) {
        const ClockNode& node = nodes_[clock][next_[clock]];
        if (!node.is_cause && !is_ready(node)) break;
        node.is_cause ? pass_cause(clock, node) : pass_effect(clock, node);
        ++next_[clock];
      }
    }
  }

  // A clock need not wait for its own cause: it has a place of its own there.
  bool is_ready(const ClockNode& node) const {
    const ClockSlot& own = edges_.slots[node.slot];
    const bool own_is_unknown = own.cause != kNoTime && !own.is_cause_known;
    return edges_.junctions[node.junction].unknown_causes == (own_is_unknown ? 1u : 0u);
  }

  Ticks shift_of(std::uint32_t clock, Ticks time) const {
    const auto& pieces = result_.pieces[clock];
    return pieces.empty() ? 0 : shift_at(pieces.back(), time, gamma_);
  }

  void pass_cause(std::uint32_t clock, const ClockNode& node) {
    ClockSlot& slot = edges_.slots[node.slot];
    slot.cause_shift = shift_of(clock, node.time);
    slot.is_cause_known = true;
    Junction& junction = edges_.junctions[node.junction];
    if (slot.logical_cause() > junction.latest) {
      junction.latest_of_others = junction.latest;
      junction.latest = slot.logical_cause();
      junction.latest_slot = node.slot;
    } else {
      junction.latest_of_others = std::max(junction.latest_of_others, slot.logical_cause());
    }
    if (--junction.unknown_causes > 1) return;
    for (std::uint64_t s = junction.first_slot; s < junction.first_slot + junction.slots; ++s)
      if (edges_.slots[s].effect != kNoTime) queue(edges_.slots[s].clock);
  }

  void pass_effect(std::uint32_t clock, const ClockNode& node) {
    const Ticks latest = edges_.junctions[node.junction].latest_for(node.slot);
    Ticks earliest = node.time + shift_of(clock, node.time);
    if (latest != kNoTime) earliest = std::max(earliest, latest + edges_.latency);
    edges_.slots[node.slot].effect_shift = earliest - node.time;
    if (earliest == node.time + shift_of(clock, node.time)) return;
    auto& pieces = result_.pieces[clock];
    if (!pieces.empty() && pieces.back().at == node.time)
      pieces.back().shift = earliest - node.time;
    else
      pieces.push_back({node.time, earliest - node.time});
  }

  void queue(std::uint32_t clock) {
    if (is_queued_[clock]) return;
    is_queued_[clock] = true;
    queue_.push_back(clock);
  }

  // Everybody waits for somebody: the earliest does so no longer. False if all are done.
  bool force_one() {
    std::uint32_t first = kNone32;
    for (std::uint32_t clock = 0; clock < nodes_.size(); ++clock)
      if (next_[clock] < nodes_[clock].size() && (first == kNone32 || time_of(clock) < time_of(first))) first = clock;
    if (first == kNone32) return false;
    ++result_.ignored;
    pass_effect(first, nodes_[first][next_[first]++]);
    queue(first);
    return true;
  }
  Ticks time_of(std::uint32_t clock) const { return nodes_[clock][next_[clock]].time; }

  CrossEdges& edges_;
  const double gamma_;
  std::vector<Rows<ClockNode>> nodes_;  // of each clock, in order of time
  std::vector<std::size_t> next_;
  std::vector<bool> is_queued_;
  std::deque<std::uint32_t> queue_;
  LogicalTimes result_;
};

}  // namespace

Ticks shift_at(const ClockPiece& piece, Ticks time, double gamma) {
  const double left = static_cast<double>(piece.shift) - (1 - gamma) * static_cast<double>(time - piece.at);
  return std::max<Ticks>(0, nearest_tick(left));
}

LogicalTimes run_logical_clock(CrossEdges& edges, std::uint32_t clocks, double gamma, unsigned workers) {
  return ForwardPass(edges, clocks, gamma, workers).run();
}

}  // namespace tarry
