// plan_collectives.cpp -- gates of collective operations: each member waits for those whose data it needs.
//
//   barrier, creation, init, finalize     all need all            one gate, all cause it, all wait for it
//   1-to-N, N-to-1                        the root, or for it     one gate
//   N-to-N                                who receives needs all that send
//   Scan, Exscan                          all up to itself        a gate each, one after the other
//   Alltoallv, w; neighbours              those it receives from  a gate each, if the trace tells whom
//   two groups                            the same of the other group
//
// Source: docs/METRICS.md, "Who needs whom"; docs/SIMULATION.md.
#include <algorithm>
#include <utility>
#include <vector>

#include "prediction/simulation/gates.hpp"
#include "replay/matching/match_collectives.hpp"

namespace tarry {
namespace {

// The gates of one operation.
class OperationGates {
 public:
  OperationGates(const CollectiveInstance& instance, const Machine& machine, Gates& gates)
      : instance_(instance), machine_(machine), gates_(gates) {}

  void plan() {
    if (machine_.is_like_dimemas) plan_like_dimemas();
    else if (instance_.is_inter()) plan_between_groups();
    else plan_within({0, instance_.size()}, {0, instance_.size()});
    const CollectiveKind kind = instance_.kind();
    if (!machine_.network || kind == CollectiveKind::kInit || kind == CollectiveKind::kFinalize) return;
    for (std::size_t i = 0; i < instance_.size(); ++i)
      gates_.add(rank(i), instance_[i].call, CallItem::Kind::kCollective, instance_[i].index.value);
  }

 private:
  // Members from one position to another.
  struct Group {
    std::size_t begin, end;
    bool has(std::size_t i) const { return i >= begin && i < end; }
  };

  RankIndex rank(std::size_t i) const { return instance_.members[i].rank_index; }

  Ticks enter(std::size_t i) const { return instance_.trace.ranks()[rank(i)].calls[instance_[i].start_call].enter; }
  Ticks leave(std::size_t i) const { return instance_.trace.ranks()[rank(i)].calls[instance_[i].call].leave(); }

  void signal(GateIndex gate, std::size_t i) { gates_.signal(gate, rank(i), instance_[i].start_call, enter(i)); }
  void await(GateIndex gate, std::size_t i) { gates_.await(gate, rank(i), instance_[i].call); }

  template <class Which>
  std::vector<std::size_t> select(Group group, Which which) const {
    std::vector<std::size_t> members;
    for (std::size_t i = group.begin; i < group.end; ++i)
      if (which(i)) members.push_back(i);
    return members;
  }

  // All of one kind of member need all of the other.
  template <class Needed, class Waiting>
  void connect(Group group, Group needed_group, Needed is_needed, Waiting is_waiting) {
    const GateIndex gate = gates_.add();
    for (const std::size_t i : select(needed_group, is_needed)) signal(gate, i);
    for (const std::size_t i : select(group, is_waiting)) await(gate, i);
  }

  // The same where the trace does not tell whether they did. None needs one that was entered after it was left.
  template <class Needed, class Waiting>
  void connect_earlier(Group group, Group needed_group, Needed is_needed, Waiting is_waiting) {
    std::vector<CallMoment> entered, left;
    for (const std::size_t i : select(needed_group, is_needed))
      entered.push_back({rank(i), instance_[i].start_call, enter(i)});
    for (const std::size_t i : select(group, is_waiting)) left.push_back({rank(i), instance_[i].call, leave(i)});
    tarry::connect_earlier(std::move(entered), std::move(left), gates_);
  }

  // Every collective is a barrier, but for Reduce, in which only the root waits.
  void plan_like_dimemas() {
    const auto all = [](std::size_t) { return true; };
    const Group everybody{0, instance_.size()};
    const std::size_t root = instance_.root();
    if (instance_[0].operation == CollectiveOp::kReduce && instance_.kind() == CollectiveKind::kAllToOne)
      connect(everybody, everybody, all, [root](std::size_t i) { return i == root; });
    else if (instance_.kind() != CollectiveKind::kUnanalysed) connect(everybody, everybody, all, all);
  }

  void plan_between_groups() {
    const Group first{0, instance_.local_size()}, second{instance_.local_size(), instance_.size()};
    plan_within(first, second);
    plan_within(second, first);
  }

  // What the members of `group` need of those in `needed`.
  void plan_within(Group group, Group needed) {
    const auto all = [](std::size_t) { return true; };
    const auto sending = [&](std::size_t i) { return instance_[i].sends(); };
    const auto receiving = [&](std::size_t i) { return instance_[i].receives(); };
    const std::size_t root = instance_.root();
    const auto is_root = [root](std::size_t i) { return i == root; };
    switch (instance_.kind()) {
      case CollectiveKind::kBarrier:
      case CollectiveKind::kInit:
      case CollectiveKind::kFinalize: return connect(group, needed, all, all);
      case CollectiveKind::kCreation: return connect_earlier(group, needed, all, all);
      case CollectiveKind::kAllToAll: return connect(group, needed, sending, receiving);
      case CollectiveKind::kOneToAll:
        return connect(
            group, needed, [&](std::size_t i) { return is_root(i) && sending(i); }, receiving);
      case CollectiveKind::kAllToOne:
        return connect(group, needed, sending, [&](std::size_t i) { return is_root(i) && receiving(i); });
      case CollectiveKind::kPrefix: return plan_prefix();
      case CollectiveKind::kVector: return plan_vector(group, needed);
      case CollectiveKind::kNeighborhood: return plan_neighbors();
      case CollectiveKind::kUnanalysed: return;
    }
  }

  void plan_prefix() {
    GateIndex before;
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      const GateIndex gate = gates_.add();
      if (instance_[i].sends()) signal(gate, i);
      if (gates_.has_cause(before)) gates_.chain(before, gate);
      if (instance_[i].sends() || instance_[i].receives()) await(gate, i);
      before = gate;
    }
  }

  void plan_vector(Group group, Group needed) {
    const auto is_told = [&](std::size_t i) { return instance_[i].masks.is_valid(); };
    connect_earlier(
        group, needed, [&](std::size_t i) { return instance_[i].sends(); },
        [&](std::size_t i) { return instance_[i].receives() && !is_told(i); });
    for (std::size_t i = group.begin; i < group.end; ++i) {
      if (!is_told(i)) continue;
      const GateIndex gate = gates_.add();
      instance_.for_each_partner(i, [&](CommRank partner) { add_source(gate, needed.begin + partner.value, needed); });
      await(gate, i);
    }
  }

  void add_source(GateIndex gate, std::size_t source, Group needed) {
    if (needed.has(source) && instance_[source].sends()) signal(gate, source);
  }

  void plan_neighbors() {
    const NeighborLists* lists = instance_.trace.neighbors().find(instance_[0].comm);
    if (!lists) return;
    const Group everybody{0, instance_.size()};
    for (std::size_t i = 0; i < instance_.size(); ++i) {
      if (!instance_[i].receives() || !lists->is_known(CommRank(i))) continue;
      const auto sources = lists->sources(CommRank(i));
      const GateIndex gate = gates_.add();
      if (!instance_[i].masks.is_valid())
        for (const CommRank source : sources) add_source(gate, source.value, everybody);
      else
        instance_.for_each_source(i, [&](std::uint32_t place) {
          if (place < sources.size()) add_source(gate, sources[place].value, everybody);
        });
      await(gate, i);
    }
  }

  const CollectiveInstance& instance_;
  const Machine& machine_;
  Gates& gates_;
};

}  // namespace

void connect_earlier(std::vector<CallMoment> entered, std::vector<CallMoment> left, Gates& gates) {
  std::ranges::stable_sort(entered, {}, &CallMoment::time);
  std::ranges::stable_sort(left, {}, &CallMoment::time);
  GateIndex gate;
  auto next = entered.begin();
  for (const CallMoment& effect : left) {
    if (next != entered.end() && next->time <= effect.time) {
      const GateIndex before = std::exchange(gate, gates.add());
      for (; next != entered.end() && next->time <= effect.time; ++next)
        gates.signal(gate, next->rank, next->call, next->time);
      if (before.is_valid()) gates.chain(before, gate);
    }
    if (gate.is_valid()) gates.await(gate, effect.rank, effect.call);
  }
}

void plan_collectives(const Trace& trace, const Machine& machine, Gates& gates) {
  CollectiveMatcher(trace).for_each([&](const CollectiveInstance& instance) {
    const std::lock_guard lock(gates.mutex());
    OperationGates(instance, machine, gates).plan();
  });
}

}  // namespace tarry
