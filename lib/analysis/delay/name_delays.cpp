// name_delays.cpp -- on which call path the one who was waited for lost the time, for single waits.
#include <algorithm>
#include <deque>

#include "analysis/delay/delay_instances.hpp"
#include "base/arrays/flat_map.hpp"

namespace tarry {
namespace {

// Who waited, since when, how long, and for which process.
struct WaitKey {
  RankIndex rank;
  ThreadIndex thread;
  Ticks enter, wait;
  RankIndex cause;

  bool operator==(const WaitKey&) const = default;
  std::uint64_t hash() const {
    const std::uint64_t who = std::uint64_t{rank.value} << 32 | cause.value;
    return mix_bits(
        who ^ mix_bits(static_cast<std::uint64_t>(enter) ^ mix_bits(static_cast<std::uint64_t>(wait) + thread.value)));
  }
};

WaitKey key_of(const WaitInstance& instance) {
  return {instance.rank, instance.thread, instance.enter, instance.full_wait, instance.cause.rank};
}

WaitKey key_of(const DelayContext& context, const DelayInstance& delay) {
  const SyncPoint& wait = point_at(context.sync, delay.waiter);
  return {delay.waiter.rank, delay.waiter.thread, wait.enter, wait.wait, delay.cause.rank};
}

// Waits by key; those of one key in a chain.
class WantedWaits {
 public:
  void add(WaitInstance& wait) {
    Link*& first = first_.insert(key_of(wait), nullptr);
    first = &links_.emplace_back(Link{&wait, first});
  }
  bool empty() const { return links_.empty(); }

  template <class Visit>
  void for_each(const WaitKey& key, Visit visit) const {
    const auto* const first = first_.find(key);
    for (const Link* link = first ? *first : nullptr; link; link = link->next) visit(*link->wait);
  }

 private:
  struct Link {
    WaitInstance* wait;
    Link* next;
  };
  std::deque<Link> links_;
  FlatMap<WaitKey, Link*> first_;
};

PathIndex largest_delay(const Rows<PathTime>& excess, const DelayInstance& delay) {
  const std::uint32_t largest = largest_excess(excess, delay);
  return largest == delay.excess_end ? kNoPath : excess[largest].path;
}

// The reasons of waits. Those of a collective have one cause, and mostly one interval.
class Reasons {
 public:
  explicit Reasons(const DelayContext& context) : context_(context) {}

  const DelayOfWait& of(const DelayInstance& delay) {
    const bool is_same =
        last_cause_ == delay.cause && last_first_ == delay.first_wait && spares_ == delay.spares_thread_waits;
    if (!is_same) find(delay);
    reason_.delay = delay.delay;
    return reason_;
  }

 private:
  void find(const DelayInstance& delay) {
    const SyncPoints& points = context_.sync[delay.cause.rank][delay.cause.thread];
    reason_ = {};
    reason_.thread = delay.cause.thread;
    reason_.end = points.points[delay.cause.point].enter;
    reason_.begin = std::min(begin_of_delay(context_, delay), reason_.end);
    for (SyncIndex at = delay.first_wait; at < delay.cause.point; ++at.value) {
      const SyncPoint& point = points.points[at];
      if (point.wait <= reason_.through_wait) continue;
      if (delay.spares_thread_waits && point.kind == SyncKind::kThreadBarrier) continue;
      reason_.through_enter = point.enter;
      reason_.through_wait = point.wait;
    }
    last_cause_ = delay.cause;
    last_first_ = delay.first_wait;
    spares_ = delay.spares_thread_waits;
  }

  const DelayContext& context_;
  DelayOfWait reason_;
  SyncRef last_cause_;
  SyncIndex last_first_;
  bool spares_ = false;
};

}  // namespace

Ticks begin_of_delay(const DelayContext& context, const DelayInstance& delay) {
  const SyncPoints& points = context.sync[delay.cause.rank][delay.cause.thread];
  if (delay.first_wait == SyncIndex(0)) return points.first_time;
  const SyncPoint& since = points.points[delay.first_wait.value - 1];
  return since.kind == SyncKind::kFork ? since.enter : since.enter + since.total - since.completion;
}

std::uint32_t largest_excess(const Rows<PathTime>& excess, const DelayInstance& delay) {
  const auto largest = std::max_element(excess.begin() + delay.excess_begin, excess.begin() + delay.excess_end,
                                        [](const PathTime& a, const PathTime& b) { return a.time < b.time; });
  return static_cast<std::uint32_t>(largest - excess.begin());
}

void name_delays(const DelayContext& context, const DelaysByCause& delays, Instances& severe) {
  WantedWaits wanted;
  for (auto& [metric, kind] : severe)
    for (WaitInstance& instance : kind.worst)
      if (instance.cause.rank.is_valid() && context.trace.is_hosted(instance.cause.rank)) wanted.add(instance);
  if (wanted.empty()) return;
  context.trace.for_each_hosted([&](RankIndex rank) {
    Reasons reasons(context);
    for (const DelayInstance& delay : delays[rank].all)
      wanted.for_each(key_of(context, delay), [&](WaitInstance& wait) {
        if (wait.delay_path == kNoPath) wait.delay_path = largest_delay(delays[rank].excess, delay);
        if (!wait.why.is_known()) wait.why = reasons.of(delay);
      });
  });
}

}  // namespace tarry
