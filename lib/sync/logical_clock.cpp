// logical_clock.cpp -- the controlled logical clock: moves events forward until every cause precedes its effects.
//
//   clock A    ----S------------------      S sends at 5.0
//   clock B    --R-----e---f----------      R receives at 4.2 on its clock
//   corrected  -------Re---f----------      R moves to 5.0 + latency; e and f keep their distances, times gamma, until
//                                           the measured times have caught up
//
// Per clock, not per process: what happens on one node stays in order by itself. Source: docs/METRICS.md, "Timestamps".
#include "sync/logical_clock.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <deque>

#include "base/arrays/flat_map.hpp"
#include "base/processes/worker_pool.hpp"
#include "base/arrays/sort_runs.hpp"
#include "trace/correction.hpp"

namespace tarry {
namespace {

// Guesses that are not right after so many rounds are given up.
constexpr int kMostGuesses = 30;
constexpr std::size_t kJunctionsPerTransfer = 1u << 16;

// News for other processes leave when there are so many: receivers go on early, and buffers stay small.
constexpr std::size_t kMostNews = 1u << 14;

// A cause or an effect on one clock.
struct ClockNode {
  Ticks time = 0;
  std::uint64_t slot : 63 = 0;
  std::uint64_t is_cause : 1 = 0;
  std::uint64_t junction = 0;
};

// Causes of one junction whose logical times became known.
struct CauseNews {
  std::uint64_t junction = 0;
  std::uint32_t causes = 0;
  ClockId latest_clock;
  Ticks latest = kNoTime;
  Ticks latest_of_others = kNoTime;
};

// Causes of a junction at one process.
struct KnownCauses {
  ClockId latest_clock{};
  Ticks latest = kNoTime;
  Ticks latest_of_others = kNoTime;

  bool operator==(const KnownCauses&) const = default;
};

// What is kept of a junction that has parts at other processes.
struct SharedJunction {
  KnownCauses told;
  std::uint32_t all_causes = 0;
};

// An effect that waits, earlier than the others of its process. None if the process waits for nothing.
struct Waiting {
  Ticks time = std::numeric_limits<Ticks>::max();
  ClockId clock;

  auto operator<=>(const Waiting&) const = default;
};

class ForwardPass {
 public:
  ForwardPass(CrossEdges& edges, const ClockBlock& block, double gamma, Exchange& exchange, unsigned workers)
      : edges_(edges),
        block_(block),
        gamma_(gamma),
        exchange_(exchange),
        next_(block.count, 0),
        is_queued_(block.count, false),
        guesses_(edges.links.budget()),
        shared_(edges.links.budget()) {
    for (std::size_t i = 0; i < block.count; ++i) nodes_.emplace_back(edges.slots.budget());
    result_.pieces.resize(block.count);
    collect_nodes(workers);
  }

  // Each round does something that is not done again: a process passes nodes, or the first waiting effect is forced.
  LogicalTimes run() {
    if (exchange_.size() > 1 && converge()) return std::move(result_);
    restart();
    do advance_all();
    while (exchange_news() || force_first());
    return std::move(result_);
  }

 private:
  // ---- by guesses ---------------------------------------------------------------------------------------------------

  // Each process computes with the causes of other processes as these told them last, at first as measured. Then it
  // tells which of its own causes moved. Few jumps reach far: this takes a few rounds. To wait for each cause takes as
  // many as messages follow from one another. When no process has anything to tell, each effect is later than its
  // causes. So none depends on itself, and there is one solution: the one that waiting finds. False if there may be a
  // circle. Collective.
  bool converge() {
    note_shared_junctions();
    bool is_changed = true;
    tell_changes();
    for (int round = 0; round < kMostGuesses; ++round) {
      if (is_changed) {
        is_guessing_ = true;
        restart();
        advance_all();
        is_guessing_ = false;
      }
      if (!exchange_.all_of(!first_here().clock.is_valid())) return false;
      is_changed = tell_changes();
      if (exchange_.all_of(!is_changed)) return true;
    }
    return false;
  }

  void note_shared_junctions() {
    guesses_.resize(edges_.links.size());
    shared_.resize(edges_.links.size());
    for (const Junction& junction : edges_.junctions)
      if (junction.links.is_valid()) shared_[junction.links].all_causes = junction.unknown_causes;
  }

  // Whether this process got other guesses. In parts, so that what travels stays small. Collective.
  bool tell_changes() {
    bool is_changed = false;
    std::size_t next = 0;
    do {
      std::vector<MessageBuffer> buffers(static_cast<std::size_t>(exchange_.size()));
      const std::size_t end = std::min(edges_.junctions.size(), next + kJunctionsPerTransfer);
      for (; next < end; ++next) tell_change(edges_.junctions[next], buffers);
      std::vector<MessageBuffer> arrived = exchange_.all_to_all(std::move(buffers));
      for (std::size_t p = 0; p < arrived.size(); ++p)
        for (; !arrived[p].is_read(); is_changed = true) guess(arrived[p].get<CauseNews>(), p);
    } while (!exchange_.all_of(next == edges_.junctions.size()));
    return is_changed;
  }

  void tell_change(const Junction& junction, std::vector<MessageBuffer>& buffers) {
    if (!junction.links.is_valid()) return;
    KnownCauses known;
    for (const ClockSlot& slot : edges_.slots_of(junction))
      if (slot.cause != kNoTime) add_causes(known, slot.clock, slot.logical_cause(), kNoTime);
    if (known == shared_[junction.links].told) return;
    shared_[junction.links].told = known;
    edges_.for_each_link(junction, [&](const JunctionLink& link) {
      if (link.has_effects)
        buffers[link.process].put(
            CauseNews{link.junction, 0, known.latest_clock, known.latest, known.latest_of_others});
    });
  }

  void guess(const CauseNews& news, std::size_t process) {
    LinkIndex link = edges_.junctions[news.junction].links;
    while (edges_.links[link].process != process) ++link.value;
    guesses_[link] = {news.latest_clock, news.latest, news.latest_of_others};
  }

  // No node is passed. The causes of other processes are guessed or unknown.
  void restart() {
    if (exchange_.size() > 1) {
      for (ClockSlot& slot : edges_.slots) slot.is_cause_known = false;
      for (Junction& junction : edges_.junctions) restart(junction);
    }
    for (std::uint32_t clock = 0; clock < block_.count; ++clock) {
      next_[clock] = 0;
      result_.pieces[clock].clear();
      queue(clock);
    }
  }

  void restart(Junction& junction) {
    junction.latest_clock = {};
    junction.latest = junction.latest_of_others = kNoTime;
    if (!is_guessing_ && junction.links.is_valid()) {
      junction.unknown_causes = shared_[junction.links].all_causes;
      return;
    }
    junction.unknown_causes = 0;
    for (const ClockSlot& slot : edges_.slots_of(junction)) junction.unknown_causes += slot.cause != kNoTime;
    if (!junction.links.is_valid()) return;
    LinkIndex link = junction.links;
    edges_.for_each_link(junction, [&](const JunctionLink&) {
      const KnownCauses& known = guesses_[link];
      ++link.value;
      if (known.latest_clock.is_valid()) add_causes(junction, known.latest_clock, known.latest, known.latest_of_others);
    });
  }

  // ---- step by step -------------------------------------------------------------------------------------------------

  // Events of one tick move together: effects come first.
  void collect_nodes(unsigned workers) {
    for (std::size_t j = 0; j < edges_.junctions.size(); ++j) {
      const Junction& junction = edges_.junctions[j];
      for (std::uint64_t s = junction.first_slot; s < junction.first_slot + junction.slots; ++s) {
        const ClockSlot& slot = edges_.slots[s];
        Rows<ClockNode>& nodes = nodes_[block_.index_of(slot.clock)];
        if (slot.effect != kNoTime) nodes.push_back({slot.effect, s, 0, j});
        if (slot.cause != kNoTime) nodes.push_back({slot.cause, s, 1, j});
      }
    }
    run_parallel(workers, nodes_.size(), [this](std::size_t clock) {
      sort_runs(nodes_[clock], [](const ClockNode& a, const ClockNode& b) {
        return a.time != b.time ? a.time < b.time : a.is_cause < b.is_cause;
      });
    });
  }

  void advance_all() {
    while (!queue_.empty() && news_.size() < kMostNews) {
      const std::uint32_t clock = queue_.front();
      queue_.pop_front();
      is_queued_[clock] = false;
      advance(clock);
    }
  }

  void advance(std::uint32_t clock) {
    for (; next_[clock] < nodes_[clock].size(); ++next_[clock]) {
      const ClockNode& node = nodes_[clock][next_[clock]];
      if (!node.is_cause && !is_ready(node)) return;
      if (news_.size() >= kMostNews) return queue(clock);
      node.is_cause ? pass_cause(clock, node) : pass_effect(clock, node);
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
    const CauseNews known{node.junction, 1, slot.clock, slot.logical_cause(), kNoTime};
    if (!is_guessing_ && edges_.junctions[node.junction].links.is_valid()) tell(known);
    learn(known);
  }

  void learn(const CauseNews& news) {
    Junction& junction = edges_.junctions[news.junction];
    add_causes(junction, news.latest_clock, news.latest, news.latest_of_others);
    junction.unknown_causes -= news.causes;
    if (junction.unknown_causes > 1) return;
    for (const ClockSlot& slot : edges_.slots_of(junction))
      if (slot.effect != kNoTime) queue(block_.index_of(slot.clock));
  }

  // Causes of one junction travel together.
  void tell(const CauseNews& known) {
    std::size_t number = news_.size();
    if (edges_.junctions[known.junction].slots > 1)
      number = news_of_.insert(known.junction, static_cast<std::uint32_t>(number));
    if (number == news_.size()) {
      news_.push_back(known);
      return;
    }
    ++news_[number].causes;
    add_causes(news_[number], known.latest_clock, known.latest, known.latest_of_others);
  }

  // False if no process has any. Collective.
  bool exchange_news() {
    if (exchange_.all_of(news_.empty())) return false;
    std::vector<MessageBuffer> buffers(static_cast<std::size_t>(exchange_.size()));
    for (const CauseNews& news : news_)
      edges_.for_each_link(edges_.junctions[news.junction], [&](const JunctionLink& link) {
        if (!link.has_effects) return;
        CauseNews there = news;
        there.junction = link.junction;
        buffers[link.process].put(there);
      });
    news_.clear();
    news_of_.clear();
    for (MessageBuffer& buffer : exchange_.all_to_all(std::move(buffers)))
      while (!buffer.is_read()) learn(buffer.get<CauseNews>());
    return true;
  }

  void pass_effect(std::uint32_t clock, const ClockNode& node) {
    ClockSlot& slot = edges_.slots[node.slot];
    const Ticks latest = edges_.junctions[node.junction].latest_for(slot.clock);
    const Ticks unmoved = node.time + shift_of(clock, node.time);
    const Ticks earliest = latest == kNoTime ? unmoved : std::max(unmoved, latest + edges_.latency);
    slot.effect_shift = earliest - node.time;
    if (earliest > unmoved) jump(clock, {node.time, earliest - node.time});
  }

  // Takes along the effects of this tick that were passed before.
  void jump(std::uint32_t clock, const ClockPiece& piece) {
    auto& pieces = result_.pieces[clock];
    if (!pieces.empty() && pieces.back().at == piece.at) pieces.back() = piece;
    else pieces.push_back(piece);
    for (std::size_t n = next_[clock]; n > 0 && nodes_[clock][n - 1].time == piece.at; --n)
      edges_.slots[nodes_[clock][n - 1].slot].effect_shift = piece.shift;
  }

  void queue(std::uint32_t clock) {
    if (is_queued_[clock]) return;
    is_queued_[clock] = true;
    queue_.push_back(clock);
  }

  // All clocks wait for each other: the earliest effect does so no longer. False if all are done. Collective.
  bool force_first() {
    Waiting first;
    for (const Waiting& waiting : exchange_.share_value(first_here())) first = std::min(first, waiting);
    if (!first.clock.is_valid()) return false;
    ++result_.ignored;
    if (block_.contains(first.clock)) {
      const std::uint32_t clock = block_.index_of(first.clock);
      pass_effect(clock, nodes_[clock][next_[clock]]);
      ++next_[clock];
      queue(clock);
    }
    return true;
  }

  Waiting first_here() const {
    Waiting first;
    for (std::uint32_t clock = 0; clock < nodes_.size(); ++clock)
      if (next_[clock] < nodes_[clock].size())
        first = std::min(first, {nodes_[clock][next_[clock]].time, block_[clock]});
    return first;
  }

  CrossEdges& edges_;
  const ClockBlock block_;
  const double gamma_;
  Exchange& exchange_;
  std::vector<Rows<ClockNode>> nodes_;  // of each clock of the block, in order of time
  std::vector<std::size_t> next_;
  std::vector<bool> is_queued_;
  std::deque<std::uint32_t> queue_;
  std::vector<CauseNews> news_;                    // for other processes
  FlatMap<std::uint64_t, std::uint32_t> news_of_;  // index into news_, by junction
  bool is_guessing_ = false;
  Indexed<LinkIndex, Rows<KnownCauses>> guesses_;    // of other parts
  Indexed<LinkIndex, Rows<SharedJunction>> shared_;  // at the first link
  LogicalTimes result_;
};

}  // namespace

Ticks shift_at(const ClockPiece& piece, Ticks time, double gamma) {
  const double left = static_cast<double>(piece.shift) - (1 - gamma) * static_cast<double>(time - piece.at);
  return std::max<Ticks>(0, nearest_tick(left));
}

LogicalTimes run_logical_clock(CrossEdges& edges, const ClockBlock& block, double gamma, Exchange& exchange,
                               unsigned workers) {
  return ForwardPass(edges, block, gamma, exchange, workers).run();
}

}  // namespace tarry
