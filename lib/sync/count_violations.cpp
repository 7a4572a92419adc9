// count_violations.cpp -- how many events are earlier than what must have come before them.
#include "sync/count_violations.hpp"

#include <algorithm>
#include <limits>

#include "base/text/format.hpp"
#include "base/processes/worker_pool.hpp"
#include "sync/clocks.hpp"

namespace tarry {
namespace {

constexpr std::size_t kGroupsPerJob = 4096;
constexpr Ticks kNoneYet = std::numeric_limits<Ticks>::min();

// What all workers read.
struct Context {
  const Conditions& conditions;
  const Corrections& corrections;
  const Clocks nodes, processes;

  Ticks time(const ClockPoint& point) const { return corrections.of(point.location).apply(point.time); }
};

// The latest cause of each clock; forgets everything in the time it took to fill.
class LatestOfClocks {
 public:
  explicit LatestOfClocks(const Clocks& clocks) : clocks_(clocks), latest_(clocks.count, kNoneYet) {}

  void add(const ClockPoint& point, Ticks time) {
    const std::uint32_t clock = clocks_.of(point.location).value;
    if (latest_[clock] == kNoneYet) touched_.push_back(clock);
    latest_[clock] = std::max(latest_[clock], time);
  }
  Ticks of(const ClockPoint& point) const { return latest_[clocks_.of(point.location).value]; }
  void clear() {
    for (const std::uint32_t clock : touched_) latest_[clock] = kNoneYet;
    touched_.clear();
  }

 private:
  const Clocks& clocks_;
  std::vector<Ticks> latest_;
  std::vector<std::uint32_t> touched_;
};

class GroupCounter {
 public:
  explicit GroupCounter(const Context& context)
      : context_(context), of_node_(context.nodes), of_process_(context.processes) {}

  void count(const ConditionGroup& group, ViolationCount& result) {
    const auto causes = context_.conditions.causes(group), effects = context_.conditions.effects(group);
    Ticks latest = kNoneYet;
    std::size_t next = 0;
    const auto add_causes_up_to = [&](CommRank order) {
      for (; next < causes.size() && (!group.is_scan || causes[next].order <= order); ++next) {
        const Ticks time = context_.time(causes[next]);
        latest = std::max(latest, time);
        of_node_.add(causes[next], time);
        of_process_.add(causes[next], time);
      }
    };
    for (const ClockPoint& effect : effects) {
      add_causes_up_to(effect.order);
      const Ticks time = context_.time(effect);
      if (latest <= time) continue;
      ++result.by_kind[static_cast<std::size_t>(group.kind)];
      result.is_within_node |= of_node_.of(effect) > time;
      result.is_within_process |= of_process_.of(effect) > time;
    }
    of_node_.clear();
    of_process_.clear();
  }

 private:
  const Context& context_;
  LatestOfClocks of_node_, of_process_;
};

void count_messages(const Trace& trace, const Context& context, RankIndex rank, ViolationCount& result) {
  ShiftCursor received(context.corrections.of(LocationId()));
  LocationId receiver;
  for_each_message(trace, rank, [&](const ClockPoint& cause, const ClockPoint& effect) {
    if (effect.location != receiver) {
      receiver = effect.location;
      received = ShiftCursor(context.corrections.of(receiver));
    }
    if (context.time(cause) <= received.apply(effect.time)) return;
    ++result.by_kind[static_cast<std::size_t>(ConditionKind::kPointToPoint)];
    const auto is_shared = [&](const Clocks& clocks) {
      return clocks.of(cause.location) == clocks.of(effect.location);
    };
    result.is_within_node |= is_shared(context.nodes);
    result.is_within_process |= is_shared(context.processes);
  });
}

void add(ViolationCount& sum, const ViolationCount& part) {
  for (std::size_t k = 0; k < kConditionKinds; ++k) sum.by_kind[k] += part.by_kind[k];
  sum.is_within_node |= part.is_within_node;
  sum.is_within_process |= part.is_within_process;
}

ViolationCount sum_of(const std::vector<ViolationCount>& parts) {
  ViolationCount sum;
  for (const ViolationCount& part : parts) add(sum, part);
  return sum;
}

}  // namespace

std::uint64_t ViolationCount::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : by_kind) sum += count;
  return sum;
}

std::string ViolationCount::text() const {
  std::string text = std::to_string(total()) + " clock-condition violations (";
  for (std::size_t k = 0; k < kConditionKinds; ++k)
    text +=
        (k > 0 ? ", " : "") + std::to_string(by_kind[k]) + " " + std::string(name_of(static_cast<ConditionKind>(k)));
  return text + ")";
}

ViolationCount count_violations(Trace& trace, const Conditions& conditions, const Corrections& corrections) {
  const Context context{conditions, corrections, clocks_of(trace.definitions(), ClockLevel::kNode),
                        clocks_of(trace.definitions(), ClockLevel::kProcess)};
  Indexed<RankIndex, std::vector<ViolationCount>> of_messages(trace.ranks().size());
  trace.for_each_hosted([&](RankIndex r) { count_messages(trace, context, r, of_messages[r]); });
  const std::size_t jobs = (conditions.groups.size() + kGroupsPerJob - 1) / kGroupsPerJob;
  std::vector<ViolationCount> of_groups(jobs);
  run_parallel(trace.workers(), jobs, [&](std::size_t job) {
    GroupCounter counter(context);
    const std::size_t end = std::min(conditions.groups.size(), (job + 1) * kGroupsPerJob);
    for (std::size_t g = job * kGroupsPerJob; g < end; ++g) counter.count(conditions.groups[g], of_groups[job]);
  });
  ViolationCount own = sum_of(of_messages);
  add(own, sum_of(of_groups));
  return sum_of(trace.exchange().share_value(own));
}

}  // namespace tarry
