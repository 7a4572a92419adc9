// system_tree.cpp -- builds the sequence definitions of a whole system from what each process knows of its own place.
#include "defs/system_tree.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/processes/worker_pool.hpp"

namespace tarry {

// ---- ranks in one process -------------------------------------------------------------------------------------------

class VirtualGroup::Member : public GroupTransport {
 public:
  Member(VirtualGroup& group, std::uint32_t rank) : group_(group), rank_(rank) {}
  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(group_.going_up_.size()); }
  void send(std::uint32_t to, Message message) override {
    std::size_t& largest = group_.largest_[std::max(to, rank_)];
    largest = std::max(largest, message.size());
    (to < rank_ ? group_.going_up_[rank_] : group_.going_down_[to]) = std::move(message);
  }
  Message receive(std::uint32_t from) override {
    return std::exchange(from > rank_ ? group_.going_up_[from] : group_.going_down_[rank_], {});
  }

 private:
  VirtualGroup& group_;
  std::uint32_t rank_;
};

void VirtualGroup::run(const Job& job, bool is_up, unsigned workers) {
  const auto size = static_cast<std::uint32_t>(going_up_.size());
  const auto run_one = [&](std::uint32_t rank) {
    Member member(*this, rank);
    job(member, rank);
  };
  if (workers <= 1) {
    for (std::uint32_t i = 0; i < size; ++i) run_one(is_up ? size - 1 - i : i);
    return;
  }
  std::vector<std::vector<std::uint32_t>> levels;
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    const std::size_t depth = find_place(rank, size).depth;
    levels.resize(std::max(levels.size(), depth + 1));
    levels[depth].push_back(rank);
  }
  if (is_up) std::reverse(levels.begin(), levels.end());
  for (const std::vector<std::uint32_t>& level : levels)
    run_parallel(workers, level.size(), [&](std::size_t i) { run_one(level[i]); });
}

void VirtualGroup::run_up(const Job& job, unsigned workers) { run(job, true, workers); }

void VirtualGroup::run_down(const Job& job, unsigned workers) { run(job, false, workers); }

std::size_t VirtualGroup::largest_message() const { return *std::max_element(largest_.begin(), largest_.end()); }

namespace {

// The processes that represent the units below one unit.
struct Group {
  std::vector<std::uint32_t> ranks;
  std::vector<SequenceMember> members;
  VirtualGroup carrier;

  explicit Group(std::vector<std::uint32_t> all) : ranks(std::move(all)), members(ranks.size()), carrier(size()) {}
  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks.size()); }
};

class Builder {
 public:
  explicit Builder(const SystemFacts& facts) : facts_(facts), bytes_(facts.ranks, 0) {}

  SystemTree run() {
    std::size_t depth = 0;
    for (std::uint32_t rank = 0; rank < facts_.ranks; ++rank) depth = std::max(depth, facts_.path_of(rank).size());
    waiting_.resize(depth + 1);
    for (std::uint32_t rank = 0; rank < facts_.ranks; ++rank) waiting_[facts_.path_of(rank).size()].push_back(rank);
    levels_.resize(depth + 1);
    for (std::size_t level = depth + 1; level-- > 0;) unify(level);
    hand_back();
    for (const std::size_t bytes : bytes_) result_.most_bytes = std::max(result_.most_bytes, bytes);
    const std::size_t sum = std::accumulate(bytes_.begin(), bytes_.end(), std::size_t{0});
    result_.mean_bytes = facts_.ranks ? sum / facts_.ranks : 0;
    return std::move(result_);
  }

 private:
  // The first `level` names of the path. Level 0: everybody.
  std::string unit_name(std::uint32_t rank, std::size_t level) const {
    std::string name;
    const auto path = facts_.path_of(rank);
    for (std::size_t i = 0; i < level; ++i) name += path[i].first + '\0' + path[i].second + '\0';
    return name;
  }

  // Those whose next unit above is at `level` of the path: processes that are directly in it, and units below it.
  void unify(std::size_t level) {
    std::vector<std::uint32_t>& here = waiting_[level];
    std::sort(here.begin(), here.end());
    std::uint32_t rounds = 0;
    auto split = split_by_name(
        here, [&](std::uint32_t rank) { return unit_name(rank, level); }, facts_.hash, &rounds);
    result_.rounds = std::max(result_.rounds, rounds);
    std::uint32_t steps = 0;
    std::vector<std::pair<std::uint32_t, Sequence>> units;
    for (auto& ranks : split) {
      Group& group = levels_[level].emplace_back(std::move(ranks));
      std::vector<Sequence> kinds;
      group.carrier.run_up([&](GroupTransport& transport, std::uint32_t member) {
        kinds = group.members[member].up(transport, sequence_of(group.ranks[member]));
        bytes_[group.ranks[member]] += group.members[member].bytes();
      });
      for (std::uint32_t member = 0; member < group.size(); ++member)
        steps = std::max(steps, 2 * find_place(member, group.size()).depth);
      if (level == 0) {
        result_.roots = std::move(kinds);
        break;
      }
      const std::uint32_t leader = group.ranks[0];
      units.emplace_back(leader, Sequence{facts_.path_of(leader)[level - 1].first, 1, std::move(kinds)});
      waiting_[level - 1].push_back(leader);
    }
    for (auto& [leader, sequence] : units) unit_of_[leader] = std::move(sequence);
    result_.steps += steps;
    waiting_[level] = {};
  }

  // What a rank represents: the last unit that it has unified, or its own process.
  Sequence sequence_of(std::uint32_t rank) const {
    const auto found = unit_of_.find(rank);
    return found == unit_of_.end() ? facts_.process_of(rank) : found->second;
  }

  void hand_back() {
    result_.process_units.assign(facts_.ranks, 0);
    for (std::size_t level = 0; level < levels_.size(); ++level)
      for (Group& group : levels_[level]) {
        // A unit's children are numbered behind the unit itself.
        const std::uint64_t first = level == 0 ? 0 : result_.process_units[group.ranks[0]] + 1;
        group.carrier.run_down([&](GroupTransport& transport, std::uint32_t member) {
          result_.process_units[group.ranks[member]] = group.members[member].down(transport, first);
        });
        result_.largest_message = std::max(result_.largest_message, group.carrier.largest_message());
      }
  }

  const SystemFacts& facts_;
  SystemTree result_;
  std::vector<std::vector<std::uint32_t>> waiting_;  // by level, ranks that represent a unit or process below it
  std::vector<std::vector<Group>> levels_;
  std::unordered_map<std::uint32_t, Sequence> unit_of_;  // by leader
  std::vector<std::size_t> bytes_;                       // that each rank keeps
};

}  // namespace

SystemTree build_system_tree(const SystemFacts& facts) { return Builder(facts).run(); }

}  // namespace tarry
